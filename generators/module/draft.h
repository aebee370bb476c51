#pragma once
// A module as it is meant, before it is laid out, and where everything came to lie.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "generators/module.h"

namespace kiln::gen::module_draft {

/// Where something lies: in which segment's memory, or nowhere.
enum class Where : uint8_t { kNowhere, kText, kData, kDataEnd, kDescriptor, kAbsolute };

struct Symbol {
  std::string name;
  uint8_t info = 0; ///< binding and type
  Where where = Where::kNowhere;
  uint64_t offset = 0;
  uint64_t size = 0;
};

enum class Form : uint8_t { kWord, kGlobDat, kJumpSlot, kRelative, kNothing };
/// What a relocation changes: places that layout decides on.
enum class Place : uint8_t {
  kTable, ///< the n-th word of the global offset table
  kName,  ///< the descriptor's
  kInit,
  kExit,
  kData,     ///< at an offset in the data
  kLastWord, ///< the last eight bytes of the data's memory
  kPageEdge, ///< over the border of the data's first page, if it has one
};

struct Relocation {
  Form form = Form::kWord;
  Place place = Place::kTable;
  uint64_t offset = 0;
  size_t symbol = 0;
  Where target = Where::kNowhere; ///< kRelative: what the addend is the address of
  uint64_t addend = 0;            ///< else, and on top of it
  bool of_plt = false;            ///< stands in the second table
};

struct Draft {
  uint16_t machine = 62;
  uint8_t abi = 0;       ///< System V's, or GNU's: 3
  unsigned segments = 1; ///< 1 all in one; 2 tables, data; 3 tables, text, data; 4 and sealed data
  unsigned extra = 0;    ///< further segments of zeros, a page each
  size_t program_stride = 56;
  size_t symbol_stride = 24;
  size_t relocation_stride = 24;
  bool sysv_hash = true;
  bool gnu_hash = false;
  uint32_t buckets = 1;
  uint64_t align = 4096;
  uint64_t base = 0;
  bool at_top = false; ///< ends where addresses do; `base` does not matter
  bool padded = false; ///< segments begin at pages of the file
  bool relro = false;
  bool headers_outside = false; ///< the first segment begins behind the headers
  bool stack = false;           ///< program headers that do not matter
  unsigned rotate = 0;          ///< the dynamic section begins with another entry
  std::string name;
  unsigned table_words = 0; ///< of the global offset table
  std::vector<uint8_t> text;
  std::vector<uint8_t> data;
  uint64_t zeros = 0;          ///< behind the data
  std::vector<Symbol> symbols; ///< [0] is none; local ones first, imports, then the others
  size_t first_hashed = 1;
  bool long_name = false; ///< one of the symbols' names is longer than 255 characters
  std::vector<Relocation> relocations;
};

/// A segment's program header.
struct Load {
  size_t at = 0;
  uint64_t offset = 0;
  uint64_t address = 0;
  uint64_t in_file = 0;
  uint64_t bytes = 0;
};

/// Places in the file.
struct Places {
  std::vector<Load> loads;
  size_t dynamic_header = 0;
  size_t relro_header = 0; ///< 0: none
  size_t other_header = 0; ///< one that does not matter; 0: none
  uint64_t dynamic = 0;
  size_t dynamic_bytes = 0;
  std::map<uint64_t, size_t> tags;
  std::vector<size_t> ignored_tags;
  std::vector<size_t> symbols;
  std::vector<size_t> relocations;
  size_t strings = 0;
  size_t strings_bytes = 0;
  size_t hash = 0;
  size_t gnu_hash = 0;
  size_t descriptor = 0;
  size_t descriptor_symbol = 0; ///< its index
  uint64_t data_address = 0;    ///< of the segment that relocations change
  uint64_t data_bytes = 0;
};

Draft draw(sim::Tape& tape, const ModuleWish& wish);
std::vector<uint8_t> write(const Draft& draft, Places& places);
/// Tells one; `bytes` may become another length.
ModuleLie lie(sim::Tape& tape, const Draft& draft, const Places& places,
              std::vector<uint8_t>& bytes);

} // namespace kiln::gen::module_draft
