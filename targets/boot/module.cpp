// boot/module: loads kernel modules, files of ELF for x86-64 and AArch64.
//
// A few files a run, each in memory of exactly its length, with an allocation failing or pages
// running out anywhere. Verdict and place of a fault, the memory of a module byte for byte, rights
// page by page as an MMU sees them, symbols, back-traces and entry points are held against a second
// reader; after a refusal, and at the end, all memory is back.

#include "kernel-src/boot/module.h"

#include <string>
#include <vector>

#include "generators/module.h"
#include "kernel-src/lib/checked.h"
#include "sim/exact_block.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/boot/counted.h"
#include "targets/boot/module_compare.h"
#include "targets/boot/module_words.h"
#include "targets/boot/module_world.h"
#include "targets/boot/texts.h"

namespace kiln::targets {
namespace {

using clay::elf::Machine;
using clay::elf::Refusal;
using worlds::ModuleFile;
using worlds::ModuleImage;

constexpr const char* kName = "boot/module";

#define KILN_MODULE_PROBE(id, text) {kName, "said: " text},
const sim::Probe kRefusalProbes[] = {CLAY_MODULE_REFUSALS(KILN_MODULE_PROBE)};
#undef KILN_MODULE_PROBE
const sim::Probe kX86{kName, "an x86-64 module is loaded"};
const sim::Probe kArm{kName, "an AArch64 module is loaded"};
const sim::Probe kThree{kName, "three modules are loaded at a time"};

const sim::Probe kGap{kName, "a module fills the gap between two others"};
const sim::Probe kHole{kName, "a module has pages between its segments"};
const sim::Probe kTop{kName, "the file's addresses end where addresses do"};
const sim::Probe kSealed{kName, "a page is sealed once it is relocated"};
const sim::Probe kStraddles{kName, "a relocation lies over the border of two pages"};
const sim::Probe kInZeros{kName, "a relocation lies in what the file does not have"};
const sim::Probe kLastWord{kName, "a relocation changes the last word of a segment"};
const sim::Probe kWeak{kName, "a weak import is not there"};
const sim::Probe kImport{kName, "a relocation brings in an address of the kernel's"};
const sim::Probe kAddend{kName, "an addend beside a symbol of the table of offsets"};
const sim::Probe kStrides{kName, "entries are larger than the format's in all three tables"};
const sim::Probe kGnuHash{kName, "the number of symbols comes from the GNU tools' hash table"};
const sim::Probe kExact{kName, "the last segment ends with the file"};
const sim::Probe kMostSegments{kName, "exactly as many segments as there is room for"};
const sim::Probe kLied{kName, "a file is sound in spite of its lie"};

/// Sorted.
constexpr const char* kExports[] = {"a",      "ab",    "irq_off", "irq_on",     "irq_on_cpu",
                                    "kalloc", "kfree", "kprint",  "kprint_raw", "zz_last"};

ModuleShape draw_shape(sim::Run& run) {
  auto data = run.tape.data();
  ModuleShape shape;
  shape.machine = data.boolean() ? Machine::kAArch64 : Machine::kX86_64;
  shape.frames = data.pick({32, 32, 40, 64, 24});
  shape.first_page =
      data.pick({uint64_t{0xF'FFFF'FFFA'0000}, uint64_t{0xF'FFF8'0000'0000}, uint64_t{0x400}});
  shape.pages = data.pick({65'536, 65'536, 65'536, 65'536, 600, 40, 12});
  const size_t all = std::size(kExports);
  const size_t exports = data.chance(1, 16) ? static_cast<size_t>(data.below(all)) : all;
  shape.exports.assign(kExports, kExports + exports);
  return shape;
}

/// Most names may come twice.
std::string draw_name(sim::Run& run, size_t n) {
  if (n >= 3) {
    return "more-" + std::to_string(n);
  }
  auto data = run.tape.data();
  static constexpr const char* kNames[] = {"net", "disk", "usb", "net", "x"};
  return kNames[data.weighted({4, 4, 4, 1, 1})];
}

gen::ModuleProduct draw_file(sim::Run& run, const ModuleShape& shape, size_t n) {
  const sim::Span span(run.tape, "module");
  const std::string name = draw_name(run, n);
  const auto machine = static_cast<uint16_t>(shape.machine);
  return gen::make_module(run.tape, {machine, name, shape.exports});
}

void note_relocations(const ModuleFile& file, const worlds::ModuleImage& image) {
  for (const ModuleFile::Relocation& r : file.relocations) {
    const ModuleFile::Segment& s = *file.segment_of(r.place, 8);
    if (r.place % 4096 > 4088) kStraddles.hit();
    if (r.place - s.address >= s.in_file) kInZeros.hit();
    if (r.place - s.address == s.bytes - 8) kLastWord.hit();
    if (r.symbol == 0) {
      continue;
    }
    if (file.symbols[r.symbol].section == 0) kImport.hit();
    const bool table = r.type == 6 || r.type == 7 || r.type == 1025 || r.type == 1026;
    if (table && r.addend != 0) kAddend.hit();
  }
  for (const ModuleImage::Page& page : image.pages) {
    const ModuleFile::Segment* const s =
        file.segment_of(clay::wrapping_sub(page.address + 4095, image.bias), 1);
    if (s != nullptr && s->write && !page.write) kSealed.hit();
  }
}

void note_loaded(const ModuleWorld::Outcome& outcome, Machine machine, size_t file_bytes) {
  const ModuleFile& file = outcome.file;
  (machine == Machine::kX86_64 ? kX86 : kArm).hit();
  if (file.end_page() - file.first_page() > outcome.image->pages.size()) kHole.hit();
  if (file.end_page() == uint64_t{1} << 52) kTop.hit();
  if (file.program_stride > 56 && file.symbol_stride > 24 && file.relocation_stride > 24) {
    kStrides.hit();
  }
  if (file.by_gnu_hash) kGnuHash.hit();
  const ModuleFile::Segment& last = file.segments.back();
  if (last.offset + last.in_file == file_bytes) kExact.hit();
  if (file.segments.size() == clay::elf::kMostSegments) kMostSegments.hit();
  for (size_t i = 1; i < file.symbols.size(); ++i) {
    const ModuleFile::Symbol& s = file.symbols[i];
    const clay::Result<uint64_t> found = outcome.module->find(view(s.name));
    if (s.section == 0 && s.binding == 2 && !found.ok()) kWeak.hit();
  }
  note_relocations(file, *outcome.image);
}

/// With pages running out, or one allocation failing, in some.
ModuleWorld::Outcome load(sim::Run& run, ModuleWorld& world, clay::Bytes file) {
  auto swarm = run.tape.swarm();
  auto fault = run.tape.fault();
  const size_t pages = swarm.below(4) == 3 ? static_cast<size_t>(fault.below(24)) : SIZE_MAX;
  const uint64_t failing = swarm.below(8) == 7 ? fault.below(8) : UINT64_MAX;
  ModuleWorld::Outcome outcome = world.load(file, pages, failing);
  run.machine.digest(static_cast<uint64_t>(outcome.why.reason));
  return outcome;
}

void check_sound(const ModuleFile& file) {
  KILN_CHECK(file.faults.empty(), "a sound file has faults, the first is %u at %llu",
             static_cast<unsigned>(file.faults.begin()->first),
             static_cast<unsigned long long>(file.faults.begin()->second));
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  const ModuleShape shape = draw_shape(run);
  ModuleWorld world(run.machine, shape);
  const size_t more = run.tape.world().below(8) == 7 ? 4 : 0; // so that gaps are filled
  const size_t files = 1 + data.weighted({3, 2, 2}) + more;
  for (size_t n = 0; n < files; ++n) {
    const gen::ModuleProduct product = draw_file(run, shape, n);
    if (n == 0) {
      run.machine.artefact(product.bytes);
    }
    const sim::ExactBlock block(product.bytes, 1);
    const ModuleWorld::Outcome outcome = load(run, world, block.bytes());
    const bool sound = product.lie == gen::ModuleLie::kNone;
    if (sound) {
      check_sound(outcome.file);
    }
    if (outcome.module != nullptr) {
      note_loaded(outcome, shape.machine, product.bytes.size());
      if (!sound) kLied.hit();
      run.machine.digest(outcome.module->address());
      world.use(*outcome.image);
    }
    if (world.loaded() == 3) kThree.hit();
    if (outcome.module != nullptr && world.is_between(*outcome.module)) kGap.hit();
    if (world.loaded() > 0 && data.chance(1, 3)) {
      world.unload(static_cast<size_t>(data.below(world.loaded())));
    }
  }
  world.finish();
}

/// For the machine that the file says it is for.
void feed(sim::Feed& feed) {
  ModuleShape shape;
  const bool arm = feed.bytes.size() > 18 && feed.bytes[18] == 183;
  shape.machine = arm ? Machine::kAArch64 : Machine::kX86_64;
  shape.frames = 4096;
  shape.exports.assign(std::begin(kExports), std::end(kExports));
  ModuleWorld world(feed.machine, shape);
  const sim::ExactBlock block(feed.bytes, 1);
  const ModuleWorld::Outcome outcome = world.load(block.bytes(), SIZE_MAX, UINT64_MAX);
  feed.out += arm ? "for AArch64\n" : "for x86-64\n";
  feed.out += describe(outcome.file, outcome.why, outcome.module);
  world.finish();
}

const sim::Target target{{
    .name = kName,
    .purpose = "Kernel modules, loaded into a machine with an MMU, against a second reader.",
    .run = run,
    .feed = feed,
    .feed_takes = "a shared object of ELF for x86-64 or AArch64",
    .gate_inputs = 20'000,
    .longest_tape = 2048,
    .tags = "boot,parser,mm",
}};

} // namespace

void note_refusal(Refusal refusal) {
  hit_counted(kRefusalProbes[static_cast<size_t>(refusal)], clay::elf::refusal_text(refusal));
}

} // namespace kiln::targets
