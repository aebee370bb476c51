#pragma once
// One board in the making: what its kind fixes, what the tape chose, what has been built. The parts
// that all boards have are in parts_*.cpp, those of one kind in boards_*.cpp.

#include "generators/fdt/builder.h"
#include "generators/fdt/facts.h"
#include "sim/tape.h"

namespace kiln::gen::fdt {

struct Maker;

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
  static Style draw(sim::Tape::View swarm);
};

struct Maker {
  sim::Tape& tape;
  sim::Tape::View data;
  const Kind& kind;
  Style style;
  Builder build{};
  Facts facts{};
};

// --- The parts of every board, each child nodes of the root

void make_memory(Maker& m);
void make_reserved(Maker& m);
void make_cpus(Maker& m);
void make_chosen(Maker& m);
void make_aliases(Maker& m);
void make_strays(Maker& m);
void make_twins(Maker& m);

// --- Devices

void arm64_devices(Maker& m);
void server_devices(Maker& m);
void riscv_devices(Maker& m);
void powerpc_devices(Maker& m);
void small_devices(Maker& m);

/// `status`, now and then; whether the node is available.
bool make_status(Maker& m);

/// Mostly `usual` or a little more, up to `usual` + `spread`; with a crowd, now and then about
/// `many`.
uint64_t draw_count(Maker& m, uint64_t usual, uint64_t spread, uint64_t many);

} // namespace kiln::gen::fdt
