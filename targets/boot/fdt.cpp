// boot/fdt: the device tree that firmware hands over.
//
// The blob lies in a block of the kernel's heap of exactly its length. Clay's verdict, its tree and
// its board are held against a reader written from the specification (worlds/firmware); where no
// lie was told in the bytes, that reader is held against what the generator meant; libfdt gives a
// second opinion on every blob that Clay takes, and on those that it refuses says whether it would,
// too.
//
// Does not check: what a kernel does with a board; blobs that change while they are read.

#include "generators/fdt.h"

#include <algorithm>
#include <memory>

#include "kernel-src/boot/board.h"
#include "kernel-src/boot/fdt_interrupt.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/boot/counted.h"
#include "targets/boot/fdt_compare.h"
#include "targets/boot/fdt_libfdt.h"
#include "targets/boot/fdt_words.h"

namespace kiln::targets {
namespace {

using clay::Board;
using clay::fdt::Refusal;

constexpr const char* kName = "boot/fdt";

#define KILN_FDT_REFUSAL_PROBE(id, text) {kName, "verdict: " text},
const sim::Probe kVerdicts[] = {CLAY_FDT_REFUSALS(KILN_FDT_REFUSAL_PROBE)};
#undef KILN_FDT_REFUSAL_PROBE
#define KILN_FDT_ODDITY_PROBE(id, text) {kName, "left out: " text},
const sim::Probe kLeftOut[] = {CLAY_BOARD_ODDITIES(KILN_FDT_ODDITY_PROBE)};
#undef KILN_FDT_ODDITY_PROBE
const sim::Probe kDeepest{kName, "nodes nested exactly as deep as is allowed"};
const sim::Probe kSlack{kName, "bytes behind the blob"};
const sim::Probe kMemoryFull{kName, "exactly as many ranges of memory as there is room for"};
const sim::Probe kLastByte{kName, "memory that ends with the last byte of 64 bits"};
const sim::Probe kBootargsFull{kName, "a command line that just fits"};
const sim::Probe kTranslated{kName, "a console whose address a bus translates"};
const sim::Probe kNoMemory{kName, "a board without memory"};
const sim::Probe kStricter{kName, "a blob that libfdt takes and Clay refuses by rule"};
const sim::Probe kEndless{kName, "a blob that libfdt would read for ever"};
const sim::Probe kGicV2{kName, "a GICv2"};
const sim::Probe kGicV3{kName, "a GICv3 with an ITS"};
const sim::Probe kPlic{kName, "a PLIC"};
const sim::Probe kTimer{kName, "a timer"};
const sim::Probe kPcie{kName, "a PCIe host with a window above 4 GiB and interrupts"};
const sim::Probe kSlotsFull{kName, "exactly as many virtio slots as there is room for"};
const sim::Probe kThroughMap{kName, "a device's interrupt that a map leads to the controller"};
const sim::Probe kInherited{kName, "an interrupt whose parent a node further up names"};
const sim::Probe kSeveralBuses{kName, "an address that two buses or more translate"};
const sim::Probe kEverything{kName, "a board with everything"};

void hit_devices(const worlds::fdt::Devices& want, const clay::Devices& got) {
  using Kind = clay::InterruptController::Kind;
  const clay::InterruptController& controller = got.controller;
  if (controller.kind == Kind::kGicV2) kGicV2.hit();
  if (controller.kind == Kind::kGicV3 && controller.its.size() != 0) kGicV3.hit();
  if (controller.kind == Kind::kPlic) kPlic.hit();
  if (got.timer.exists) kTimer.hit();
  for (const clay::PcieHost& host : got.pcie.all()) {
    for (const clay::PcieHost::Window& window : host.windows.all()) {
      if (window.cpu.base > UINT32_MAX && host.routes.size() != 0) kPcie.hit();
    }
  }
  if (got.virtio.size() == clay::Devices::kVirtioSlotsMax) kSlotsFull.hit();
  if (want.through_map != 0) kThroughMap.hit();
  if (want.inherited != 0) kInherited.hit();
  if (want.several_buses != 0) kSeveralBuses.hit();
}

void hit_board(const worlds::fdt::Tree& tree, const worlds::fdt::Board& want, const Board& board) {
  for (size_t kind = 0; kind < clay::kOddities; ++kind) {
    const auto oddity = static_cast<clay::Oddity>(kind);
    if (board.oddities(oddity) != 0) hit_counted(kLeftOut[kind], clay::oddity_text(oddity));
  }
  size_t deepest = 0;
  for (const worlds::fdt::Node& node : tree.nodes) {
    deepest = std::max(deepest, node.depth + 1);
  }
  if (deepest == clay::fdt::kMaxDepth) kDeepest.hit();
  if (board.memory().size() == Board::kMemoryRangesMax) kMemoryFull.hit();
  if (board.bootargs().size() == Board::kBootargsMax) kBootargsFull.hit();
  if (want.serial_translated) kTranslated.hit();
  for (const clay::fdt::Range& range : board.memory()) {
    if (range.base + (range.size - 1) == UINT64_MAX) kLastByte.hit();
  }
  hit_devices(want.devices, board.devices());
  if (board.has_serial() && board.serial().irq.exists && board.initrd().size != 0 &&
      !board.bootargs().empty() && board.cpus().size() > 1 && board.reserved().size() > 1) {
    kEverything.hit();
  }
}

/// What everyone makes of a blob.
struct Reading {
  clay::Result<clay::fdt::Tree> tree;
  clay::fdt::Refused why;
  worlds::fdt::Tree second;
};

/// The board of a tree that was taken.
std::unique_ptr<Board> read_board(const Reading& reading) {
  std::unique_ptr<Board> board(new Board);
  const clay::Result<void> read = board->read(reading.tree.value());
  KILN_CHECK(read.ok() != board->memory().empty(), "a board with %zu ranges of memory is %s",
             board->memory().size(), read.ok() ? "taken" : "refused");
  if (!read.ok()) kNoMemory.hit();
  for (const clay::fdt::Range& range : board->memory()) {
    sim::machine().digest(range.base ^ range.size);
  }
  sim::machine().digest(board->cpus().size());
  sim::machine().digest(board->serial().registers.base);
  sim::machine().digest(board->serial().irq.irq.number);
  const clay::Devices& devices = board->devices();
  sim::machine().digest(static_cast<uint64_t>(devices.controller.kind) << 8 | devices.pcie.size());
  for (const clay::VirtioSlot& slot : devices.virtio.all()) {
    sim::machine().digest(slot.registers.base ^ slot.irq.irq.number);
  }
  return board;
}

void check_refusal(std::span<const uint8_t> bytes, const clay::fdt::Refused& why) {
  switch (ask_libfdt(bytes)) {
  case Verdict::kTakes:
    KILN_CHECK(is_stricter(bytes, why), "libfdt takes a blob that Clay refuses: %s",
               clay::fdt::refusal_text(why.reason));
    return kStricter.hit();
  case Verdict::kNeverComesBack:
    return kEndless.hit();
  case Verdict::kRefuses:
    return;
  }
}

Reading read(std::span<const uint8_t> bytes) {
  const uint64_t allocations = sim::machine().allocations();
  clay::fdt::Refused why;
  clay::Result<clay::fdt::Tree> tree = clay::fdt::Tree::open(bytes, why);
  KILN_CHECK(sim::machine().allocations() == allocations, "reading a tree takes memory");
  worlds::fdt::Tree second = worlds::fdt::read_tree(bytes, clay::fdt::kMaxDepth);
  KILN_CHECK(tree.ok() == (second.fault == nullptr), "the blob is %s (%s; %s)",
             tree.ok() ? "taken" : "refused", clay::fdt::refusal_text(why.reason),
             second.fault == nullptr ? "nothing is wrong" : second.fault);
  KILN_CHECK(tree.ok() == (why.reason == Refusal::kNone) && why.at <= bytes.size(),
             "a refusal at %zu: %s", why.at, clay::fdt::refusal_text(why.reason));
  if (!tree.ok()) {
    check_refusal_holds(bytes, why, second);
  }
  hit_counted(kVerdicts[static_cast<size_t>(why.reason)], clay::fdt::refusal_text(why.reason));
  sim::machine().digest(static_cast<uint64_t>(why.reason));
  return {tree, why, std::move(second)};
}

/// The oracles that need no generator, on a tree that was taken.
void check(std::span<const uint8_t> bytes, const Reading& reading, const Board& board,
           const worlds::fdt::Board& want) {
  const clay::fdt::Tree& tree = reading.tree.value();
  if (tree.size() < bytes.size()) kSlack.hit();
  check_tree(tree, reading.second);
  check_ways(tree, reading.second);
  check_board(board, want);
  hit_board(reading.second, want, board);
  check_with_libfdt(bytes, reading.second);
}

void run(sim::Run& run) {
  const gen::fdt::Product product = gen::fdt::make(run.tape);
  for (uint32_t i = 0; i < product.lie_count; ++i) {
    run.machine.note("%s", gen::fdt::lie_text(product.lies[i]));
  }
  run.machine.artefact(product.blob);
  const sim::ExactBlock blob(product.blob);
  const Reading reading = read(blob.bytes());
  if (product.sound()) {
    check_meant(reading.second, product);
  }
  if (!reading.tree.ok()) {
    return check_refusal(blob.bytes(), reading.why);
  }
  const std::unique_ptr<Board> board = read_board(reading);
  const worlds::fdt::Board want = worlds::fdt::read_board(reading.second, clay::fdt::kMaxMaps);
  check(blob.bytes(), reading, *board, want);
  if (product.plain()) {
    check_facts(want, product.facts);
  }
}

void feed(sim::Feed& feed) {
  const sim::ExactBlock blob(feed.bytes);
  const Reading reading = read(blob.bytes());
  if (!reading.tree.ok()) {
    feed.out += describe(reading.why);
    return check_refusal(blob.bytes(), reading.why);
  }
  const std::unique_ptr<Board> board = read_board(reading);
  feed.out += describe(reading.tree.value()) + describe(*board);
  check(blob.bytes(), reading, *board,
        worlds::fdt::read_board(reading.second, clay::fdt::kMaxMaps));
  feed.out += "a second reader and libfdt read the same\n";
}

const sim::Target target{{
    .name = kName,
    .purpose = "Device trees against a second reader, the generator's model and libfdt.",
    .run = run,
    .feed = feed,
    .feed_takes = "a .dtb file",
    .gate_inputs = 50'000,
    .tags = "boot,parser",
}};

} // namespace
} // namespace kiln::targets
