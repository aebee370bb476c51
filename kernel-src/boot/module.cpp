#include "kernel-src/boot/module.h"

#include <new>

#include "kernel-src/boot/module_relocate.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"

namespace clay::elf {
namespace {

constexpr uint64_t kGuardPages = 1;

Error error_of(Refusal refusal) {
  switch (refusal) {
  case Refusal::kNoMemory:
    return Error::kNoMemory;
  case Refusal::kLoaded:
    return Error::kExists;
  default:
    return Error::kCorrupt;
  }
}

/// The first page from `page` on that lies as the layout's first one does in its alignment.
uint64_t align_page(uint64_t page, const Layout& layout) {
  const uint64_t unit = layout.align / kPageBytes;
  return page + wrapping_sub(layout.first_page(), page) % unit;
}

} // namespace

// --- What a module says of itself

Refusal Module::read_name() {
  char text[kNameMax + 1];
  for (size_t size = 0; size <= kNameMax; ++size) {
    const Result<uint8_t> byte = image_.byte_at(wrapping_add<uint64_t>(descriptor_.name, size));
    if (!byte.ok()) {
      return Refusal::kDescriptorName;
    }
    if (byte.value() == 0) {
      static_cast<void>(name_.set({text, size}));
      return size == 0 ? Refusal::kDescriptorName : Refusal::kNone;
    }
    text[size] = static_cast<char>(byte.value());
  }
  return Refusal::kDescriptorName;
}

/// At an address of the module that has room for it.
Refusal Module::read_descriptor(uint64_t address) {
  uint8_t bytes[sizeof(ModuleDescriptor)];
  image_.read(address, bytes);
  descriptor_ = {load_le<uint64_t>(bytes), load_le<uint64_t>(bytes + 8),
                 load_le<uint64_t>(bytes + 16), load_le<uint64_t>(bytes + 24)};
  if (descriptor_.version != kDescriptorVersion) {
    return Refusal::kDescriptor;
  }
  for (const uint64_t entry : {descriptor_.init, descriptor_.exit}) {
    if (entry != 0 && !image_.is_executable(entry)) {
      return Refusal::kDescriptorEntry;
    }
  }
  return read_name();
}

// --- Loading

Refused Loader::read(Bytes file, Plan& plan) const {
  if (const Refused why = read_layout(file, setting_.machine, plan.layout)) {
    return why;
  }
  if (const Refused why = read_tables(plan.layout, plan.tables)) {
    return why;
  }
  if (const Refused why = Symbols(plan.tables, exports_).check(plan.layout)) {
    return why;
  }
  if (const Refused why = check_relocations(setting_.machine, plan.layout, plan.tables)) {
    return why;
  }
  return find_descriptor(plan);
}

Refused Loader::find_descriptor(Plan& plan) const {
  const Symbols symbols(plan.tables, exports_);
  plan.descriptor = symbols.find(kDescriptorSymbol);
  if (plan.descriptor == 0) {
    return {Refusal::kNoDescriptor};
  }
  const Symbol symbol = symbols[plan.descriptor];
  const bool inside = !symbol.is_absolute() &&
                      plan.layout.segment_of(symbol.value, sizeof(ModuleDescriptor)) != nullptr;
  const uint64_t at = plan.layout.place_of(plan.tables.symbols[plan.descriptor]);
  return inside ? Refused{} : Refused{Refusal::kDescriptor, at};
}

/// The lowest page where it may begin.
Result<uint64_t> Loader::find_room(const Layout& layout) const {
  const uint64_t pages = layout.span_pages();
  uint64_t page = align_page(setting_.first_page, layout);
  for (const Module& module : modules_) {
    if (page + pages + kGuardPages <= module.image_.first_page()) {
      return page;
    }
    page = align_page(module.image_.end_page() + kGuardPages, layout);
  }
  const uint64_t end = setting_.first_page + setting_.pages;
  return page + pages <= end ? Result<uint64_t>(page) : Error::kNoSpace;
}

/// What goes wrong later than in the file: `module` is new, and goes when something does.
Refused Loader::make(const Plan& plan, uint64_t page, Module& module) const {
  const Symbols symbols(plan.tables, exports_);
  const uint64_t bias =
      wrapping_mul<uint64_t>(wrapping_sub(page, plan.layout.first_page()), kPageBytes);
  if (!module.image_.fill(plan.layout, bias) || !module.index_.fill(plan.tables, symbols, bias)) {
    return {Refusal::kNoMemory};
  }
  relocate(setting_.machine, plan.tables, symbols, module.image_);
  const uint64_t at = plan.layout.place_of(plan.tables.symbols[plan.descriptor]);
  const Refusal refusal = module.read_descriptor(symbols.value(plan.descriptor, bias));
  if (refusal != Refusal::kNone) {
    return {refusal, at};
  }
  if (find(module.name()) != nullptr) {
    return {Refusal::kLoaded, at};
  }
  return module.image_.map(plan.layout) ? Refused{} : Refused{Refusal::kNoMemory};
}

Result<Module*> Loader::load(Bytes file, Refused& why) {
  Plan plan;
  why = read(file, plan);
  if (why) {
    return error_of(why.reason);
  }
  const Result<uint64_t> page = find_room(plan.layout);
  if (!page.ok()) {
    why = {Refusal::kNoSpace};
    return Error::kNoSpace;
  }
  void* const room = memory_.heap.allocate(sizeof(Module), alignof(Module));
  if (room == nullptr) {
    why = {Refusal::kNoMemory};
    return Error::kNoMemory;
  }
  auto* const module = new (room) Module(memory_);
  why = make(plan, page.value(), *module);
  if (why) {
    destroy(*module);
    return error_of(why.reason);
  }
  insert(*module);
  return module;
}

void Loader::insert(Module& module) {
  for (Module& other : modules_) {
    if (other.address() > module.address()) {
      return modules_.insert_before(other, module);
    }
  }
  modules_.push_back(module);
}

void Loader::destroy(Module& module) {
  module.~Module();
  memory_.heap.free(&module);
}

void Loader::unload(Module& module) {
  modules_.remove(module);
  destroy(module);
}

// --- Looking up

Module* Loader::find(StringView name) const {
  for (Module& module : modules_) {
    if (module.name() == name) {
      return &module;
    }
  }
  return nullptr;
}

Module* Loader::module_at(uint64_t address) const {
  for (Module& module : modules_) {
    if (module.holds(address)) {
      return &module;
    }
  }
  return nullptr;
}

Result<SymbolPlace> Loader::symbol_at(uint64_t address) const {
  const Module* const module = module_at(address);
  return module != nullptr ? module->index_.nearest(address) : Error::kNotFound;
}

} // namespace clay::elf
