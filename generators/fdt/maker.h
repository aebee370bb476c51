#pragma once
// One board in the making: what its kind fixes, what the tape chose, what has been built. The parts
// that all boards have are in parts_*.cpp, those of one kind in boards_*.cpp.

#include "generators/fdt/builder.h"
#include "generators/fdt/facts.h"
#include "sim/tape.h"

namespace kiln::gen::fdt {

struct Maker;

/// An interrupt controller, as those see it whose interrupts go there.
struct Pic {
  uint32_t phandle;
  uint32_t cells;      ///< of a specifier
  uint32_t unit_cells; ///< of the unit address in front of it in an interrupt-map
  enum class Kind { kGic, kPlic, kForeign } kind;
};

/// What makes a board one of its kind.
struct Kind {
  const char* model;
  const char* compatible;
  Cells root;
  uint64_t ram;    ///< where memory begins
  const char* cpu; ///< compatible of its CPUs
  Cells cpus;      ///< laid down by /cpus
  const char* serial_path;
  const char* serial_short; ///< the same without unit addresses
  const char* serial_compatible;
  Range serial;            ///< as a CPU sees it
  Pic pic;                 ///< the interrupt parent of the root
  void (*devices)(Maker&); ///< everything but CPUs, memory, chosen and aliases
};

/// The kinds; the first is the plainest.
std::span<const Kind> kinds();

/// What an input does out of the ordinary; all off is a plain board.
struct Style {
  bool nops;           ///< FDT_NOP between tokens
  bool layout;         ///< blocks in another order, with gaps
  bool suffixes;       ///< names share their ends in the strings block
  bool odd_cells;      ///< other cell counts at the root
  bool implicit_cells; ///< default cell counts are not written down
  bool crowd;          ///< far more of something than usual
  bool strays;         ///< nodes that mean nothing here, nested
  bool long_text;      ///< a command line of a thousand characters
  bool twins;          ///< a second node or property of the same name
  bool statuses;       ///< nodes that are not available
  bool buses;          ///< buses in buses, with cells of their own
  bool decoys;         ///< interrupt controllers that are not the board's
  static Style draw(sim::Tape::View swarm);
};

struct Maker {
  sim::Tape& tape;
  sim::Tape::View data;
  const Kind& kind;
  Style style;
  Builder build{};
  Facts facts{};
  bool has_regions = false; ///< there is a /reserved-memory
};

// --- The parts of every board, each child nodes of the root

void make_memory(Maker& m);
void make_reserved(Maker& m);
void make_cpus(Maker& m);
void make_chosen(Maker& m);
void make_aliases(Maker& m);
void make_strays(Maker& m);
void make_twins(Maker& m);
/// Buses in buses, with virtio slots on the innermost, whose interrupts may pass maps.
void make_buses(Maker& m);

// --- Interrupt controllers that are not the board's, each now and then

/// In a node that is open and of no device.
void make_hidden_controller(Maker& m);
/// Not available, before all others.
void make_disabled_controller(Maker& m);
/// Behind the board's own, with a virtio slot that belongs to it.
void make_second_controller(Maker& m);
/// Nodes around the board's own, which change nothing; how many.
uint32_t open_wrapper(Maker& m);
void close_wrapper(Maker& m, uint32_t open);

// --- Devices

void arm64_devices(Maker& m);
void server_devices(Maker& m);
void riscv_devices(Maker& m);
void powerpc_devices(Maker& m);
void small_devices(Maker& m);

void make_gic_v2(Maker& m, uint64_t base, uint64_t cpu_base);
void make_gic_v3(Maker& m, uint64_t usual_its);
void make_timer(Maker& m);
void make_psci(Maker& m);
/// The `index`th host of the board.
void make_pcie(Maker& m, uint64_t index);
/// A slot at `at` on the bus that is open, `cpu` to a CPU.
void make_virtio_slot(Maker& m, uint64_t at, uint64_t cpu, uint64_t size, uint32_t line, bool edge);

/// A specifier of `line` at the board's controller, at the end of the value that is begun.
void append_specifier(Maker& m, uint32_t line, bool edge);
/// What it is there; nothing at a controller that nobody knows.
std::optional<Irq> irq_of(const Maker& m, uint32_t line, bool edge);
/// An interrupt of the node that is open, said in one of three ways.
std::optional<Irq> make_interrupt(Maker& m, uint32_t line, bool edge);

/// What the node is compatible with, now and then behind something that nobody knows.
void make_compatible(Maker& m, std::string_view text);

/// `status`, now and then; whether the node is available.
bool make_status(Maker& m);

/// Mostly `usual` or a little more, up to `usual` + `spread`; with a crowd, now and then about
/// `many`.
uint64_t draw_count(Maker& m, uint64_t usual, uint64_t spread, uint64_t many);

} // namespace kiln::gen::fdt
