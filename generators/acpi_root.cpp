// Where the root pointer is, and what looks like one.

#include <algorithm>
#include <numeric>

#include "generators/acpi_parts.h"

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

class RootMaker {
 public:
  RootMaker(sim::Tape& tape, const AcpiPlacedTables& tables, AcpiFirmware& out)
      : data_(tape.data()), fault_(tape.fault()), tables_(tables), out_(out) {}

  void put_all() {
    std::vector<uint8_t> rsdp = root_bytes();
    const std::vector<uint8_t> sound = rsdp;
    if (out_.lie == AcpiLie::kRootPointer) lie_about_root(rsdp);
    out_.root = static_cast<AcpiFirmware::Root>(data_.weighted({10, 3, 1, 2}));
    if (hide_) out_.root = AcpiFirmware::Root::kNowhere;
    if (data_.chance(1, 4)) decoys(sound);
    const uint64_t segment =
        data_.pick({uint64_t{0x9FC0}, uint64_t{0x9EFD}, uint64_t{0x50}, uint64_t{0x9000}});
    uint64_t ebda =
        data_.chance(1, 4)
            ? data_.pick({uint64_t{0}, uint64_t{0x4F}, uint64_t{0x9FC1}, uint64_t{0xF000}})
            : segment;
    switch (out_.root) {
    case AcpiFirmware::Root::kTag:
      out_.tag = rsdp;
      break;
    case AcpiFirmware::Root::kPointer:
      out_.pointer = data_.pick(
          {uint64_t{0x7FBFA014}, uint64_t{0x7FBFAFF0}, uint64_t{0xF6A20}, uint64_t{0x5'00000FFC}});
      put(out_.pointer, rsdp);
      out_.pointer += pointer_off_;
      break;
    case AcpiFirmware::Root::kEbda:
      ebda = segment;
      put((segment << 4) + data_.pick({0u, 0x10u, 1008u, 1024u}) + pointer_off_, rsdp);
      break;
    case AcpiFirmware::Root::kBios:
      put(data_.pick({uint64_t{0xF6A20}, uint64_t{0xE0000}, uint64_t{0xFFFF0}, uint64_t{0xFFFC0},
                      uint64_t{0xE0FF0}}) +
              pointer_off_,
          rsdp);
      break;
    case AcpiFirmware::Root::kNowhere:
      break;
    }
    put(0x40E, {static_cast<uint8_t>(ebda & 0xFF), static_cast<uint8_t>(ebda >> 8)});
    if (out_.root != AcpiFirmware::Root::kTag && data_.chance(1, 6)) broken_hint(rsdp);
    if (out_.root == AcpiFirmware::Root::kTag && data_.chance(1, 6)) out_.pointer = 0x1234;
  }

 private:
  std::vector<uint8_t> root_bytes() {
    ByteBuilder rsdp;
    const bool wide = tables_.xsdt != AcpiPlacedTables::kNone || data_.chance(1, 4);
    const uint64_t rsdt = tables_.address_of(tables_.rsdt);
    const uint64_t xsdt = tables_.address_of(tables_.xsdt);
    rsdp.text("RSD PTR ").u8(0).text("KILN  ").u8(wide ? 2 : data_.pick({0, 1}));
    rsdp.le32(static_cast<uint32_t>(rsdt));
    seal_root(rsdp, 8, 20);
    if (wide) {
      rsdp.le32(36).le64(xsdt).u8(0).fill(0, 3);
      if (data_.chance(1, 24)) { // of a revision yet to come
        rsdp.fill(0x77, 12);
        rsdp.set_le32(20, 48);
      }
      seal_root(rsdp, 32, rsdp.size());
    }
    return rsdp.take();
  }

  static void seal_root(ByteBuilder& rsdp, size_t at, size_t bytes) {
    rsdp.set_u8(at, 0);
    const auto all = rsdp.bytes().first(bytes);
    rsdp.set_u8(at, static_cast<uint8_t>(0u - std::accumulate(all.begin(), all.end(), 0u)));
  }

  void lie_about_root(std::vector<uint8_t>& rsdp) {
    switch (fault_.below(7)) {
    case 0:
      if (fault_.boolean()) {
        std::swap(rsdp[0], rsdp[1]); // another signature under a right checksum
      } else {
        rsdp[static_cast<size_t>(fault_.below(20))] ^= 0x10;
      }
      return;
    case 1:
      rsdp.back() ^= 1; // of revision 2: the second checksum's
      return;
    case 2:
      rsdp[15] = rsdp[15] == 2 ? 0 : 2; // and the checksum with it
      rsdp[8] = static_cast<uint8_t>(rsdp[8] + (rsdp[15] == 2 ? 254 : 2));
      return;
    case 3:
      if (rsdp.size() > 20) {
        ByteBuilder again;
        again.raw(rsdp).fill(0, fault_.boolean() ? 0 : 40);
        const uint32_t length = fault_.pick({35u, 20u, 0u, 64u, 65u, 0xFFFFFFFFu, 37u});
        again.set_le32(20, length);
        seal_root(again, 32, std::clamp<size_t>(length, 36, std::min<size_t>(again.size(), 70)));
        rsdp = again.take();
      }
      return;
    case 4:
      rsdp.resize(static_cast<size_t>(fault_.below(rsdp.size())));
      return;
    case 5:
      pointer_off_ = fault_.pick({8u, 1u, 16u});
      return;
    default:
      hide_ = true;
      return;
    }
  }

  void put(uint64_t at, const std::vector<uint8_t>& bytes) {
    if (!bytes.empty()) out_.memory.push_back({at, bytes});
  }

  /// A loader's word that is no good, beside a root pointer that is.
  void broken_hint(std::vector<uint8_t> rsdp) {
    if (rsdp.size() < 20) return;
    rsdp[9] ^= 2;
    if (out_.pointer == 0 && data_.boolean()) {
      out_.pointer = data_.pick({uint64_t{0x7F7F7000}, UINT64_MAX - 8});
      return;
    }
    out_.tag = rsdp;
  }

  /// What must not be taken for the root pointer.
  void decoys(std::vector<uint8_t> rsdp) {
    const uint64_t odd = data_.pick({uint64_t{0xE5008}, uint64_t{0x9FC08}});
    put(odd, rsdp); // sound, but not on 16 bytes
    rsdp[10] ^= 1;
    put(data_.pick({uint64_t{0xE4FF0}, uint64_t{0xF0000}, uint64_t{0x9FC40}}), rsdp);
    rsdp[10] ^= 1;
    rsdp[7] = 'X';
    put(0xE8000, rsdp);
  }

  View data_;
  View fault_;
  const AcpiPlacedTables& tables_;
  AcpiFirmware& out_;
  uint64_t pointer_off_ = 0; ///< from where it is said to be
  bool hide_ = false;
};

} // namespace

void put_acpi_root_pointer(sim::Tape& tape, const AcpiPlacedTables& tables, AcpiFirmware& out) {
  RootMaker(tape, tables, out).put_all();
}

} // namespace kiln::gen
