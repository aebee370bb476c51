#pragma once
// Loads modules: parts of the kernel that come as files. A module is a shared object of ELF
// (module_format.h) for the machine that runs, position independent, with relocations of the forms
// with addends (module_relocate.h), which wants nothing but what the kernel offers by name. It says
// what it is by a public symbol `clay_module`, a ModuleDescriptor:
//
//   struct { uint64_t version; const char* name; int (*init)(void); void (*exit)(void); }
//       clay_module = {1, "disk", init, exit};
//
//   gcc -O2 -fPIC -shared -nostdlib -o disk.so disk.c
//
//   elf::Loader loader({pages, table, heap}, exports, {elf::Machine::kX86_64, kModules, kPages});
//   elf::Refused why;
//   elf::Module* module = CLAY_TRY(loader.load(file, why));   // refusal_text(why.reason)
//   ... module->descriptor().init ...
//   loader.unload(*module);
//
// A file that is refused has changed nothing; what is unloaded leaves nothing. The file may go once
// load() has returned. A module lies at the lowest addresses where there is room for it, with a
// page that is not mapped between it and the next. No page of it is both written and executed.
//
// What Clay asks beyond the format:
// - segments do not share pages, are at most kMostSegments, and aligned to at most kMostAlign; none
//   is to be written and executed;
// - relocations change writable segments only;
// - it needs no other module, has no initialisers and no thread-local storage: the descriptor has
//   an entry point for what is to be done first;
// - tables lie in what the file has of one segment; entries may be larger than the format's;
// - the name of a symbol has at most kSymbolNameMax characters;
// - every import is found, used or not, but for weak ones, which are 0 then.
//
// One operation at a time: the caller has a lock for it, a Mutex or a SpinLock that nobody takes
// with interrupts off. load() and unload() spin until all other CPUs have forgotten what has
// changed in the page table, as its operations do: in any context but NMI, with no lock held that
// is waited for with interrupts off (mm/page_table.h), nor one of an allocator.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/boot/bounded_text.h"
#include "kernel-src/boot/module_image.h"
#include "kernel-src/boot/module_index.h"

namespace clay::elf {

/// As it lies in the module, little-endian; addresses are relocated.
struct ModuleDescriptor {
  uint64_t version; ///< kDescriptorVersion
  uint64_t name;    ///< of a text that ends with a NUL: 1 to kNameMax characters
  uint64_t init;    ///< entry points, in something that may be executed; 0: none
  uint64_t exit;
};
inline constexpr uint64_t kDescriptorVersion = 1;
inline constexpr char kDescriptorSymbol[] = "clay_module";
inline constexpr size_t kNameMax = 63;

class Module {
 public:
  explicit Module(const Memory& memory) : image_(memory), index_(memory.heap) {}

  StringView name() const { return name_.view(); }
  const ModuleDescriptor& descriptor() const { return descriptor_; }
  /// Where it begins: a multiple of kPageBytes.
  uint64_t address() const { return image_.first_page() * kPageBytes; }
  /// How far above its file's addresses it lies, modulo 2^64.
  uint64_t bias() const { return image_.bias(); }
  bool holds(uint64_t address) const { return image_.holds(address); }

  /// The address (or the number, of an absolute one) of a public symbol; kNotFound.
  Result<uint64_t> find(StringView symbol) const { return index_.find(symbol); }

 private:
  friend class Loader;

  Refusal read_descriptor(uint64_t address);
  Refusal read_name();

  ListLink link_;
  Image image_;
  SymbolIndex index_;
  BoundedText<kNameMax> name_;
  ModuleDescriptor descriptor_ = {};
};

class Loader {
 public:
  struct Setting {
    Machine machine;
    uint64_t first_page; ///< addresses for modules, which are nobody else's, divided by kPageBytes
    uint64_t pages;
  };
  /// Everything outlives the loader.
  Loader(const Memory& memory, const Exports& exports, const Setting& setting)
      : memory_(memory), exports_(exports), setting_(setting) {}
  /// Every module must have been unloaded.
  ~Loader() { CLAY_ASSERT(modules_.empty()); }
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// The module of a file (at any alignment). kNoMemory, kNoSpace, kExists (a module of that name),
  /// kCorrupt for all else; the reason is in `why`.
  Result<Module*> load(Bytes file, Refused& why);
  /// Nobody executes it or points into it any more.
  void unload(Module& module);

  /// Null when there is none.
  Module* find(StringView name) const;
  Module* module_at(uint64_t address) const;
  /// The module that holds an address, and the nearest symbol at or below it: for a back-trace.
  /// kNotFound when there is no module, or no symbol.
  Result<SymbolPlace> symbol_at(uint64_t address) const;

 private:
  /// All that a file says, checked.
  struct Plan {
    Layout layout;
    Tables tables;
    size_t descriptor = 0; ///< index of its symbol
  };

  Refused read(Bytes file, Plan& plan) const;
  Refused find_descriptor(Plan& plan) const;
  Result<uint64_t> find_room(const Layout& layout) const;
  Refused make(const Plan& plan, uint64_t page, Module& module) const;
  void insert(Module& module);
  void destroy(Module& module);

  Memory memory_;
  const Exports& exports_;
  Setting setting_;
  List<Module, &Module::link_> modules_; ///< by address
};

} // namespace clay::elf
