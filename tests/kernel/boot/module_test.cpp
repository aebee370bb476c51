// The loader on modules made by hand: what it takes, what it makes of it, and what is left of one
// that it refuses. The target has the whole format.

#include "generators/endian.h"
#include "generators/module/draft.h"
#include "hal-host/icache.h"
#include "kernel-src/boot/module.h"
#include "tests/kernel/mm/mm_test.h"

namespace kiln::test {
namespace {

namespace draft = gen::module_draft;
using clay::Error;
using clay::elf::Loader;
using clay::elf::Machine;
using clay::elf::Module;
using clay::elf::Refusal;
using clay::elf::Refused;

constexpr uint64_t kArea = 0xFFFF'FFFF'A000'0000;
constexpr uint64_t kPrint = 0xFFFF'FFFF'8100'1000;

/// Tables, text, data; one function, one object, a known import and a weak one that is unknown.
draft::Draft small_module(uint16_t machine = 62) {
  using draft::Form;
  using draft::Place;
  using draft::Where;
  draft::Draft d;
  d.machine = machine;
  d.segments = 3;
  d.name = "small";
  d.table_words = 2;
  d.text.assign(64, 0xC3);
  d.data.assign(100, 0x5A);
  d.zeros = 5000;
  d.symbols = {{},
               {"print", 0x10, Where::kNowhere, 0, 0},
               {"maybe", 0x20, Where::kNowhere, 0, 0},
               {"clay_module", 0x11, Where::kDescriptor, 0, 32},
               {"step", 0x12, Where::kText, 16, 8},
               {"state", 0x11, Where::kData, 8, 4}};
  d.first_hashed = 3;
  d.relocations = {{Form::kRelative, Place::kName, 0, 0, Where::kNowhere, 0, false},
                   {Form::kRelative, Place::kInit, 0, 0, Where::kText, 0, false},
                   {Form::kGlobDat, Place::kTable, 0, 1, Where::kNowhere, 7, false},
                   {Form::kJumpSlot, Place::kTable, 1, 2, Where::kNowhere, 0, true},
                   {Form::kWord, Place::kData, 16, 5, Where::kNowhere, 3, false}};
  return d;
}

struct Bench : SmallMemory {
  clay::elf::Export list[1] = {{"print", kPrint}};
  clay::elf::Exports exports{list};
  clay::Heap heap{cache};
  clay::PageTable table{cache, 52};
  Loader loader;
  unsigned synchronised = 0; ///< bytes
  draft::Places places;
  std::vector<uint8_t> bytes;
  Refused why;

  explicit Bench(Machine machine = Machine::kX86_64, uint64_t pages = 1024)
      : loader({cache, table, heap}, exports, {machine, kArea / clay::kPageBytes, pages}) {
    KILN_CHECK(table.start().ok(), "no top table");
    hal_host::on_icache_sync(
        [](void* self, uint64_t, uint64_t size) {
          static_cast<Bench*>(self)->synchronised += static_cast<unsigned>(size);
        },
        this);
  }
  ~Bench() { hal_host::on_icache_sync(nullptr, nullptr); }

  void write(const draft::Draft& d) { bytes = draft::write(d, places); }
  clay::Result<Module*> load() {
    const sim::ExactBlock block(bytes, 1);
    return loader.load(block.bytes(), why);
  }
  Module& load(const draft::Draft& d) {
    write(d);
    const clay::Result<Module*> got = load();
    KILN_CHECK(got.ok(), "refused: %s", clay::elf::refusal_text(why.reason));
    return *got.value();
  }
  uint64_t word_at(uint64_t address) const {
    const clay::Mapping mapping = table.find(address).value();
    return gen::load<uint64_t>(reinterpret_cast<const uint8_t*>(mapping.physical),
                               std::endian::little);
  }
  clay::PageRights rights_at(uint64_t address) const { return table.find(address).value().rights; }
  size_t free_pages() {
    heap.trim();
    return pages.free_pages();
  }
  template <typename T> void set(size_t at, T value) {
    gen::store(&bytes[at], value, std::endian::little);
  }
  void expect_refused(Refusal reason, uint64_t at) {
    const size_t before = free_pages();
    KILN_CHECK(!load().ok() && why.reason == reason, "not so: %s",
               clay::elf::refusal_text(why.reason));
    KILN_CHECK(why.at == at, "at %llu, not %llu", static_cast<unsigned long long>(why.at),
               static_cast<unsigned long long>(at));
    KILN_CHECK(free_pages() == before && table.tables() == 1, "something is left of it");
  }
};

TEST(Module, IsRelocatedAndMappedWithItsRights) {
  expect_silent_in_order([](sim::Run&) {
    Bench b;
    Module& module = b.load(small_module());
    KILN_CHECK(module.name() == "small" && module.address() == kArea, "name or place");
    const auto& loads = b.places.loads;
    const uint64_t bias = module.bias();
    KILN_CHECK(b.rights_at(bias + loads[0].address) == clay::PageRights{}, "tables");
    KILN_CHECK(b.rights_at(bias + loads[1].address) == clay::PageRights{.execute = true}, "text");
    KILN_CHECK(b.rights_at(bias + loads[2].address) == clay::PageRights{.write = true}, "data");
    KILN_CHECK(b.rights_at(bias + b.places.data_address + b.places.data_bytes - 1).write, "zeros");
    KILN_CHECK(b.synchronised == clay::kPageBytes, "%u bytes are synchronised", b.synchronised);
    KILN_CHECK(module.descriptor().init == bias + loads[1].address, "the entry point");
    KILN_CHECK(module.find("step").value() == module.descriptor().init + 16, "a function");
    KILN_CHECK(module.find("print").failed_with(Error::kNotFound), "an import is found");
    const uint64_t state = module.find("state").value();
    KILN_CHECK(b.word_at(state + 8) == state + 3, "a word is S + A");
    b.loader.unload(module);
    KILN_CHECK(!b.table.find(kArea).ok() && b.table.tables() == 1, "it is still mapped");
  });
}

TEST(Module, TheTwoMachinesDoNotAgreeOnTheAddendOfGlobDat) {
  expect_silent_in_order([](sim::Run&) {
    for (const uint16_t machine : {uint16_t{62}, uint16_t{183}}) {
      Bench b(machine == 62 ? Machine::kX86_64 : Machine::kAArch64);
      Module& module = b.load(small_module(machine));
      const uint64_t table = module.bias() + gen::load<uint64_t>(&b.bytes[b.places.relocations[2]],
                                                                 std::endian::little);
      KILN_CHECK(b.word_at(table) == kPrint + (machine == 62 ? 0 : 7), "machine %u", machine);
      KILN_CHECK(b.word_at(table + 8) == 0, "a weak import that is not there");
      b.loader.unload(module);
    }
  });
}

TEST(Module, AnAddressIsCalledByTheNearestSymbol) {
  expect_silent_in_order([](sim::Run&) {
    Bench b;
    Module& module = b.load(small_module());
    const uint64_t step = module.find("step").value();
    const auto place = b.loader.symbol_at(step + 5);
    KILN_CHECK(place.value().name == "step" && place.value().offset == 5, "step+5");
    KILN_CHECK(b.loader.symbol_at(step - 1).failed_with(Error::kNotFound), "none is below");
    KILN_CHECK(b.loader.module_at(step) == &module && b.loader.module_at(kPrint) == nullptr,
               "whose");
    b.loader.unload(module);
    KILN_CHECK(b.loader.symbol_at(step).failed_with(Error::kNotFound), "of a module that is gone");
  });
}

TEST(Module, LiesInTheLowestGapWithAPageBetween) {
  expect_silent_in_order([](sim::Run&) {
    Bench b(Machine::kX86_64, 15);
    draft::Draft d = small_module(); // four pages
    Module& first = b.load(d);
    d.name = "second";
    Module& second = b.load(d);
    d.name = "third";
    Module& third = b.load(d);
    KILN_CHECK(second.address() == kArea + 5 * 4096 && third.address() == kArea + 10 * 4096,
               "order");
    d.name = "fourth";
    b.write(d);
    KILN_CHECK(b.load().failed_with(Error::kNoSpace) && b.why.reason == Refusal::kNoSpace, "full");
    b.loader.unload(second);
    Module& fourth = b.load(d);
    KILN_CHECK(fourth.address() == kArea + 5 * 4096, "the gap is not taken");
    KILN_CHECK(b.loader.find("third") == &third && b.loader.find("second") == nullptr, "names");
    b.loader.unload(first);
    b.loader.unload(third);
    b.loader.unload(fourth);
  });
}

TEST(Module, ANameIsTakenOnce) {
  expect_silent_in_order([](sim::Run&) {
    Bench b;
    Module& module = b.load(small_module());
    KILN_CHECK(b.load().failed_with(Error::kExists) && b.why.reason == Refusal::kLoaded, "twice");
    b.loader.unload(module);
  });
}

TEST(Module, ASymbolThatIsMissingIsNamed) {
  expect_silent_in_order([](sim::Run&) {
    Bench b;
    draft::Draft d = small_module();
    d.symbols[2].info = 0x10;
    b.write(d);
    const sim::ExactBlock block(b.bytes);
    KILN_CHECK(!b.loader.load(block.bytes(), b.why).ok(), "it is loaded");
    KILN_CHECK(b.why.reason == Refusal::kUnresolved && b.why.symbol == "maybe", "not named");
    KILN_CHECK(b.why.at == b.places.symbols[2], "not where it stands");
  });
}

TEST(Module, ASymbolsNameHasAnEnd) {
  expect_silent_in_order([](sim::Run&) {
    Bench b;
    draft::Draft d = small_module();
    const std::string longest(clay::elf::kSymbolNameMax, 's');
    d.symbols[5].name = longest;
    Module& module = b.load(d);
    KILN_CHECK(module.find({longest.data(), longest.size()}).ok(), "the longest is not found");
    b.loader.unload(module);
    d.symbols[5].name += 's';
    b.write(d);
    b.expect_refused(Refusal::kSymbolNameLong, b.places.symbols[5]);
  });
}

TEST(Module, WhatIsNotSoundIsRefusedWhereItStands) {
  expect_silent_in_order([](sim::Run&) {
    Bench b;
    const auto lie = [&](auto change, Refusal reason, auto at) {
      b.write(small_module());
      change();
      b.expect_refused(reason, at());
    };
    const auto& places = b.places;
    const auto text = [&] { return places.loads[1].at; };
    const auto data = [&] { return places.loads[2].at; };
    lie([&] { b.set(text() + 4, uint32_t{7}); }, Refusal::kWriteExecute, text);
    lie([&] { b.set(text() + 4, uint32_t{0}); }, Refusal::kNoRights, text);
    lie([&] { b.set(data() + 40, places.loads[2].in_file - 1); }, Refusal::kSegmentSizes, data);
    lie([&] { b.set(data() + 8, ~uint64_t{4095}); }, Refusal::kSegmentFile, data);
    lie([&] { b.set(data() + 40, ~places.loads[2].address + 2); }, Refusal::kSegmentAddress, data);
    lie([&] { b.set(data() + 48, uint64_t{24}); }, Refusal::kAlignment, data);
    lie([&] { b.set(data() + 48, uint64_t{65536}); }, Refusal::kCongruence, data);
    const auto relocation = [&] { return places.relocations[4]; };
    const auto end = [&] { return places.data_address + places.data_bytes; };
    lie([&] { b.set(relocation(), end() - 7); }, Refusal::kRelocationPlace, relocation);
    lie([&] { b.set(relocation(), places.loads[1].address); }, Refusal::kRelocationReadOnly,
        relocation);
    lie([&] { b.set(relocation() + 12, uint32_t{6}); }, Refusal::kRelocationSymbol, relocation);
    lie([&] { b.set(relocation() + 8, uint32_t{5}); }, Refusal::kRelocationType, relocation);
    const auto symbol = [&] { return places.symbols[5]; };
    lie([&] { b.set(symbol(), static_cast<uint32_t>(places.strings_bytes)); }, Refusal::kSymbolName,
        symbol);
    lie([&] { b.set(symbol() + 8, end() - 3); }, Refusal::kSymbolPlace, symbol);
    const auto strings = [&] { return places.tags.at(5); };
    lie([&] { b.bytes[places.strings + places.strings_bytes - 1] = 'x'; }, Refusal::kStrings,
        strings);
    const auto descriptor = [&] { return places.symbols[3]; };
    lie([&] { b.bytes[places.descriptor] = 2; }, Refusal::kDescriptor, descriptor);
    lie([&] { b.set(places.relocations[0] + 16, end()); }, Refusal::kDescriptorName, descriptor);
    lie([&] { b.set(places.relocations[1] + 16, places.data_address); }, Refusal::kDescriptorEntry,
        descriptor);
  });
}

TEST(Module, TheLastByteMayBeUsed) {
  expect_silent_in_order([](sim::Run&) {
    Bench b;
    b.write(small_module());
    const uint64_t end = b.places.data_address + b.places.data_bytes;
    b.set(b.places.relocations[4], end - 8);
    b.set(b.places.symbols[5] + 8, end - 4);
    const clay::Result<Module*> got = b.load();
    KILN_CHECK(got.ok(), "refused: %s", clay::elf::refusal_text(b.why.reason));
    b.loader.unload(*got.value());
  });
}

// However few pages there are: it is loaded, or nothing is left of it.
TEST(Module, MemoryMayRunOutAnywhere) {
  expect_silent_in_order([](sim::Run&) {
    Bench b;
    b.write(small_module());
    unsigned refused = 0;
    for (size_t left = 0; left < 20; ++left) {
      const size_t before = b.free_pages();
      std::vector<clay::PageFrame*> kept;
      while (b.pages.free_pages() > left) {
        kept.push_back(b.pages.allocate(0));
      }
      const clay::Result<Module*> got = b.load();
      for (clay::PageFrame* page : kept) {
        b.pages.free(*page, 0);
      }
      if (got.ok()) {
        b.loader.unload(*got.value());
      } else {
        KILN_CHECK(got.failed_with(Error::kNoMemory), "refused for another reason");
        ++refused;
      }
      KILN_CHECK(b.free_pages() == before && b.table.tables() == 1, "%zu pages, not %zu",
                 b.free_pages(), before);
    }
    KILN_CHECK(refused > 8 && refused < 20, "refused %u times", refused);
  });
}

} // namespace
} // namespace kiln::test
