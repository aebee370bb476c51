#include "targets/boot/module_compare.h"

#include <string>

#include "kernel-src/lib/checked.h"
#include "sim/machine.h"
#include "targets/boot/texts.h"

namespace kiln::targets {
namespace {

using clay::elf::Refusal;
using worlds::ModuleFault;
using worlds::ModuleFile;

struct Meaning {
  Refusal refusal;
  ModuleFault fault;
};

constexpr Meaning kMeanings[] = {
    {Refusal::kShort, ModuleFault::kTooShort},
    {Refusal::kMagic, ModuleFault::kNoMagic},
    {Refusal::kClass, ModuleFault::kNot64Bit},
    {Refusal::kByteOrder, ModuleFault::kNotLittleEndian},
    {Refusal::kVersion, ModuleFault::kNotVersion1},
    {Refusal::kAbi, ModuleFault::kOtherSystem},
    {Refusal::kType, ModuleFault::kNotShared},
    {Refusal::kMachine, ModuleFault::kOtherMachine},
    {Refusal::kHeaderSize, ModuleFault::kSmallHeader},
    {Refusal::kProgramHeaders, ModuleFault::kHeadersOutside},
    {Refusal::kSegmentFile, ModuleFault::kOutsideFile},
    {Refusal::kSegmentSizes, ModuleFault::kMoreInFile},
    {Refusal::kSegmentAddress, ModuleFault::kWraps},
    {Refusal::kAlignment, ModuleFault::kBadAlign},
    {Refusal::kCongruence, ModuleFault::kNotCongruent},
    {Refusal::kWriteExecute, ModuleFault::kWriteAndExecute},
    {Refusal::kNoRights, ModuleFault::kNoAccess},
    {Refusal::kSegmentOrder, ModuleFault::kUnsorted},
    {Refusal::kSegmentOverlap, ModuleFault::kPageShared},
    {Refusal::kTooManySegments, ModuleFault::kTooMany},
    {Refusal::kNoSegments, ModuleFault::kEmpty},
    {Refusal::kThreadLocal, ModuleFault::kTls},
    {Refusal::kRelro, ModuleFault::kBadRelro},
    {Refusal::kDynamicPlace, ModuleFault::kBadDynamic},
    {Refusal::kDynamicEnd, ModuleFault::kOpenDynamic},
    {Refusal::kTwice, ModuleFault::kTagTwice},
    {Refusal::kMissing, ModuleFault::kTagMissing},
    {Refusal::kNeeded, ModuleFault::kNeedsOther},
    {Refusal::kInitialisers, ModuleFault::kHasInitialisers},
    {Refusal::kTextRelocations, ModuleFault::kTextRelocations},
    {Refusal::kRelocationForm, ModuleFault::kOtherForm},
    {Refusal::kEntrySize, ModuleFault::kSmallEntry},
    {Refusal::kStrings, ModuleFault::kBadStrings},
    {Refusal::kHash, ModuleFault::kBadHash},
    {Refusal::kSymbols, ModuleFault::kBadSymbols},
    {Refusal::kRelocations, ModuleFault::kBadRelocations},
    {Refusal::kSymbolName, ModuleFault::kNameOutside},
    {Refusal::kSymbolNameLong, ModuleFault::kNameTooLong},
    {Refusal::kSymbolKind, ModuleFault::kBadKind},
    {Refusal::kSymbolPlace, ModuleFault::kSymbolOutside},
    {Refusal::kUnresolved, ModuleFault::kUnresolved},
    {Refusal::kRelocationType, ModuleFault::kUnknownType},
    {Refusal::kRelocationSymbol, ModuleFault::kNoSuchSymbol},
    {Refusal::kRelocationPlace, ModuleFault::kPlaceOutside},
    {Refusal::kRelocationReadOnly, ModuleFault::kPlaceReadOnly},
    {Refusal::kNoDescriptor, ModuleFault::kNoDescriptor},
    {Refusal::kDescriptor, ModuleFault::kBadDescriptor},
    {Refusal::kDescriptorName, ModuleFault::kBadName},
    {Refusal::kDescriptorEntry, ModuleFault::kBadEntry},
};
// All but those that are not the file's fault: none, loaded already, no space, no memory.
static_assert(std::size(kMeanings) + 4 == clay::elf::kRefusals);

/// Whether a symbol names a place that a back-trace may show.
bool is_place(const ModuleFile::Symbol& s) {
  return s.section != 0 && s.section != 0xFFF1 && s.type != 3 && s.type != 4 && !s.name.empty();
}

void check_address(const clay::elf::Loader& loader, const ModuleFile& file,
                   const worlds::ModuleImage& image, uint64_t address) {
  const ModuleFile::Symbol* nearest = nullptr;
  const uint64_t in_file = clay::wrapping_sub(address, image.bias);
  const bool inside = file.segment_of(in_file, 1) != nullptr;
  uint64_t distance = UINT64_MAX;
  for (size_t i = 1; i < file.symbols.size() && inside; ++i) {
    const ModuleFile::Symbol& s = file.symbols[i];
    const uint64_t at = clay::wrapping_add(s.value, image.bias);
    if (is_place(s) && at <= address && address - at < distance) {
      nearest = &s;
      distance = address - at;
    }
  }
  const clay::Result<clay::elf::SymbolPlace> got = loader.symbol_at(address);
  KILN_CHECK(got.ok() == (nearest != nullptr), "a symbol for address %llx is %s", KILN_U64(address),
             got.ok() ? "found" : "not found");
  KILN_CHECK(nearest == nullptr ||
                 (got.value().name == view(nearest->name) && got.value().offset == distance),
             "address %llx is called %.*s+%llu, not %s+%llu", KILN_U64(address),
             static_cast<int>(got.value().name.size()), got.value().name.data(),
             KILN_U64(got.value().offset), nearest->name.c_str(), KILN_U64(distance));
}

} // namespace

bool is_same_fault(Refusal refusal, ModuleFault fault) {
  for (const Meaning& meaning : kMeanings) {
    if (meaning.refusal == refusal) {
      return meaning.fault == fault;
    }
  }
  return false;
}

void check_self(const clay::elf::Module& module, const worlds::ModuleSelf& self) {
  KILN_CHECK(module.name() == view(self.name), "the module is called '%.*s', not '%s'",
             static_cast<int>(module.name().size()), module.name().data(), self.name.c_str());
  KILN_CHECK(module.descriptor().init == self.init && module.descriptor().exit == self.exit,
             "entry points are at %llx and %llx", KILN_U64(module.descriptor().init),
             KILN_U64(module.descriptor().exit));
}

void check_symbols(const clay::elf::Loader& loader, const clay::elf::Module& module,
                   const ModuleFile& file, const worlds::ModuleImage& image,
                   const worlds::ModuleExports& exports) {
  std::set<std::string> seen;
  for (size_t i = 1; i < file.symbols.size(); ++i) {
    const ModuleFile::Symbol& s = file.symbols[i];
    const uint64_t value = worlds::module_symbol_value(s, exports, image.bias);
    if (s.section != 0 && s.section != 0xFFF1) {
      check_address(loader, file, image, value);
      check_address(loader, file, image, clay::wrapping_add<uint64_t>(value, 1));
    }
    if (s.section == 0 || s.binding == 0 || !seen.insert(s.name).second) {
      continue;
    }
    const clay::Result<uint64_t> got = module.find(view(s.name));
    KILN_CHECK(got.ok() && got.value() == value, "symbol '%s' is at %llx, not %llx", s.name.c_str(),
               KILN_U64(got.ok() ? got.value() : 0), KILN_U64(value));
  }
  for (const ModuleFile::Symbol& s : file.symbols) {
    KILN_CHECK(seen.contains(s.name) || !module.find(view(s.name)).ok(),
               "'%s' is found, and is nobody's to find", s.name.c_str());
  }
  for (const worlds::ModuleImage::Page& page : image.pages) {
    check_address(loader, file, image, page.address);
    check_address(loader, file, image, page.address + 4095);
    check_address(loader, file, image, clay::wrapping_add<uint64_t>(page.address, 4096));
  }
}

} // namespace kiln::targets
