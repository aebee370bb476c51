#pragma once
// For boot/module: a machine into which modules are loaded, its MMU, and what must be in it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel-src/boot/module.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "targets/mm/memory.h"
#include "targets/mm/mmu.h"
#include "worlds/firmware/module_image.h"

namespace kiln::targets {

struct ModuleShape {
  clay::elf::Machine machine = clay::elf::Machine::kX86_64;
  size_t frames = 64;
  uint64_t first_page = 0xF'FFFF'FFFA'0000; ///< of the addresses for modules
  uint64_t pages = 65'536;
  std::vector<std::string> exports; ///< sorted
};

class ModuleWorld {
 public:
  ModuleWorld(sim::Machine& machine, const ModuleShape& shape);
  ~ModuleWorld();

  /// What became of a file.
  struct Outcome {
    clay::elf::Module* module = nullptr;
    clay::elf::Refused why;
    worlds::ModuleFile file;
    const worlds::ModuleImage* image = nullptr; ///< of one that was loaded; until the next call
  };
  /// Loads a file, which lies in memory of exactly its length, with at most so many pages free, and
  /// judges the answer. `failing`: that allocation fails.
  Outcome load(clay::Bytes file, size_t free_pages, uint64_t failing);
  void unload(size_t which);
  size_t loaded() const { return live_.size(); }
  /// Whether others lie before and behind it.
  bool is_between(const clay::elf::Module& module) const {
    return live_.size() > 2 && live_.front().module != &module && live_.back().module != &module;
  }
  /// The CPU uses the pages of a module as their rights let it, so that it remembers them.
  void use(const worlds::ModuleImage& image);
  /// Unloads all, and judges that everything is back.
  void finish();

 private:
  struct Live {
    clay::elf::Module* module;
    worlds::ModuleFile file;
    worlds::ModuleImage image;
    worlds::ModuleSelf self;
    uint64_t end_page;
  };

  void make_exports();
  size_t trimmed();
  void hoard(size_t left);
  void give_back_hoard();
  std::optional<uint64_t> expected_page(const worlds::ModuleFile& file) const;
  bool may_lack_memory(const worlds::ModuleFile& file, size_t file_bytes, size_t free) const;
  void judge(Outcome& outcome, clay::Bytes file, const clay::Result<clay::elf::Module*>& got,
             size_t free, bool failed);
  static void judge_error(const clay::elf::Refused& why, clay::Error error);
  void judge_refusal(const Outcome& outcome, const std::set<worlds::ModuleFault>& faults,
                     uint64_t at) const;
  void judge_file(const Outcome& outcome) const;
  void take_in(Outcome& outcome, worlds::ModuleImage image, worlds::ModuleSelf self);
  void check_memory();
  void check_page(const worlds::ModuleImage::Page& want, const mm::Mmu::Page& got);
  void synchronised(uint64_t address, uint64_t bytes);

  sim::Machine& machine_;
  ModuleShape shape_;
  std::vector<std::unique_ptr<sim::ExactBlock>> export_names_; ///< without an end of their own
  std::vector<clay::elf::Export> export_list_;
  worlds::ModuleExports export_map_;
  worlds::ModuleRules rules_;
  mm::Memory memory_;
  mm::Failure failure_;
  clay::PageCache cache_;
  std::optional<clay::Heap> heap_;
  std::optional<clay::PageTable> table_;
  std::optional<mm::Mmu> mmu_;
  std::optional<clay::elf::Exports> exports_;
  std::optional<clay::elf::Loader> loader_;
  std::vector<Live> live_;                 ///< by address
  std::vector<clay::PageFrame*> hoarded_;  ///< kept from the loader
  std::map<uint64_t, uint64_t> fetchable_; ///< pages synchronised, and a sum of what was there
};

} // namespace kiln::targets
