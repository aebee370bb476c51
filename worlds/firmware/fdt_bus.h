#pragma once
// Cells, reg, ranges and paths of a devicetree, for oracles (Devicetree Specification v0.4, 2.2.3,
// 2.3.5, 2.3.6, 2.3.8, 3.3). Numbers have as many bits as four cells give them.

#include <optional>
#include <span>
#include <string_view>

#include "worlds/firmware/fdt_devices.h"

namespace kiln::worlds::fdt {

using Wide = unsigned __int128;
/// The first address that 64 bits do not reach.
inline constexpr Wide kEndOfAddresses = Wide{1} << 64;

/// At most 16 bytes, big-endian.
Wide number_in(std::span<const uint8_t> bytes);
/// Up to the first NUL; none when there is no NUL.
std::optional<std::string_view> text_in(std::span<const uint8_t> bytes);

/// Whether one of the texts in a <stringlist> is `text`; what has no NUL is none.
bool lists(std::span<const uint8_t> bytes, std::string_view text);

struct Entry {
  Wide base = 0;
  Wide size = 0;
  bool base_too_wide = false;
  bool too_wide = false; ///< base or size have more than 64 bits
};

/// The entries of a reg, whole ones.
class RegEntries {
 public:
  RegEntries(std::span<const uint8_t> value, size_t address_bytes, size_t size_bytes)
      : value_(value), split_(address_bytes), stride_(address_bytes + size_bytes) {}
  size_t size() const { return value_.size() / stride_; }
  Entry operator[](size_t index) const;

 private:
  std::span<const uint8_t> value_;
  size_t split_;
  size_t stride_;
};

/// What keeps a CPU from seeing an address.
enum class Hidden : uint8_t {
  kNowhere, ///< there is no such entry, or a bus shows it to nobody
  kShape,   ///< reg or ranges do not fit their cells
  kFar,     ///< it is, or has, more than 64 bits
};

class Buses {
 public:
  explicit Buses(const Tree& tree) : tree_(tree) {}

  /// None: no reg, or not whole entries of the parent's cells.
  std::optional<RegEntries> reg(const Node& node) const;

  /// An entry of reg as a CPU sees it; none when that cannot be said. `translations`: buses that
  /// changed it, and `why` not, where wanted.
  std::optional<Range> cpu_range(const Node& node, size_t index, unsigned* translations = nullptr,
                                 Hidden* why = nullptr) const;

  /// An address on the bus that `node` is on as a CPU sees it.
  std::optional<Wide> climb(const Node& node, Wide address, unsigned* translations = nullptr,
                            Hidden* why = nullptr) const;

  /// Bytes of an address on the bus that `node` is on; of address and size on its own bus. None:
  /// its cells make no sense.
  std::optional<size_t> address_bytes_around(const Node& node) const;
  std::optional<std::pair<size_t, size_t>> cell_bytes(const Node& node) const;

  /// Index of the node that "/a/b" or "alias/b" names.
  std::optional<size_t> find(std::string_view path) const;

 private:
  struct Counts {
    size_t address;
    size_t size;
  };
  std::optional<size_t> count(const Node& node, Key name, size_t fallback) const;
  /// What a node lays down for its children.
  std::optional<Counts> counts(const Node& node) const;
  /// What holds on the bus that `node` is on. The root is on none: the defaults.
  std::optional<Counts> counts_around(const Node& node) const;
  std::optional<Wide> up(const Node& bus, Wide address, Hidden& why) const;
  std::optional<size_t> walk(size_t from, std::string_view path) const;
  std::optional<size_t> child(size_t parent, std::string_view name) const;

  const Tree& tree_;
};

} // namespace kiln::worlds::fdt
