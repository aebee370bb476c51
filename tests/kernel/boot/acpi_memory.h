#pragma once
// Memory with tables of ACPI in it, for the tests of the kernel's reader; byte-exact, and a window
// that counts what is mapped and can refuse.

#include <map>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include "generators/acpi.h"
#include "generators/byte_builder.h"
#include "kernel-src/boot/acpi_tables.h"

namespace clay::test {

namespace gen = kiln::gen;

class AcpiMemory final : public PhysicalWindow {
 public:
  void put(uint64_t at, const std::vector<uint8_t>& bytes) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes_[at + i] = bytes[i];
    }
  }

  Result<Bytes> map(uint64_t physical, size_t bytes) override {
    EXPECT_LE(physical % kPageBytes + bytes, kPageBytes);
    if (requests++ == refuse) {
      return Error::kTooMany;
    }
    auto block = std::make_unique<std::vector<uint8_t>>();
    for (size_t i = 0; i < bytes; ++i) {
      const auto found = bytes_.find(physical + i);
      block->push_back(found == bytes_.end() ? uint8_t{0xFF} : found->second);
    }
    const Bytes mapped(block->data(), block->size());
    held_[block->data()] = std::move(block);
    return mapped;
  }
  void unmap(Bytes mapped) override { EXPECT_EQ(held_.erase(mapped.data()), 1u); }

  size_t held() const { return held_.size(); }

  uint64_t requests = 0;
  uint64_t refuse = UINT64_MAX; ///< the request that is refused, from 0

 private:
  std::map<uint64_t, uint8_t> bytes_;
  std::map<const uint8_t*, std::unique_ptr<std::vector<uint8_t>>> held_;
};

/// A table whose header is yet to be finished.
inline gen::ByteBuilder acpi_table(std::string_view signature, uint8_t revision = 1) {
  gen::ByteBuilder out;
  out.text(signature)
      .le32(0)
      .u8(revision)
      .u8(0)
      .text("CLAY  TEST    ")
      .le32(1)
      .text("KILN")
      .le32(1);
  return out;
}

/// With its length and checksum.
inline std::vector<uint8_t> finish_table(gen::ByteBuilder out) {
  out.set_le32(4, static_cast<uint32_t>(out.size()));
  std::vector<uint8_t> bytes = out.take();
  gen::seal_acpi_table(bytes, bytes.size());
  return bytes;
}

inline std::vector<uint8_t> xsdt_of(std::initializer_list<uint64_t> tables) {
  gen::ByteBuilder out = acpi_table("XSDT");
  for (const uint64_t table : tables) {
    out.le64(table);
  }
  return finish_table(out);
}

inline std::vector<uint8_t> rsdt_of(std::initializer_list<uint32_t> tables) {
  gen::ByteBuilder out = acpi_table("RSDT");
  for (const uint32_t table : tables) {
    out.le32(table);
  }
  return finish_table(out);
}

/// A root pointer of revision 2, or of revision 0 when `xsdt` is 0.
inline std::vector<uint8_t> root_pointer(uint32_t rsdt, uint64_t xsdt) {
  gen::ByteBuilder out;
  out.text("RSD PTR ").u8(0).text("CLAY  ").u8(xsdt == 0 ? 0 : 2).le32(rsdt);
  const auto seal = [&out](size_t at) {
    const uint32_t sum = std::accumulate(out.bytes().begin(), out.bytes().end(), 0u);
    out.set_u8(at, static_cast<uint8_t>((256 - sum % 256) % 256));
  };
  seal(8);
  if (xsdt != 0) {
    out.le32(36).le64(xsdt).le32(0);
    seal(32);
  }
  return out.take();
}

/// One table named by an XSDT, read.
class OneTable {
 public:
  static constexpr uint64_t kTable = 0x7FFE0000;
  static constexpr uint64_t kXsdt = 0x7FFD0000;

  explicit OneTable(gen::ByteBuilder table) {
    memory.put(kTable, finish_table(std::move(table)));
    memory.put(kXsdt, xsdt_of({kTable}));
    const std::vector<uint8_t> root = root_pointer(0, kXsdt);
    result = tables->read(memory, {Bytes(root.data(), root.size()), 0});
    EXPECT_TRUE(result.ok());
    EXPECT_EQ(memory.held(), 0u);
  }
  uint32_t count(AcpiOddity kind) const { return tables->report().count(kind); }

  AcpiMemory memory;
  std::unique_ptr<AcpiTables> tables = std::make_unique<AcpiTables>();
  Result<void> result;
};

} // namespace clay::test
