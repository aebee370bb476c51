#include <gtest/gtest.h>

#include "tests/kernel/boot/acpi_memory.h"

namespace clay::test {
namespace {

/// Every byte from the header on is not 0, no flag is set that hides others, cut to `length`.
gen::ByteBuilder fadt(size_t length) {
  gen::ByteBuilder whole = acpi_table("FACP", 6);
  whole.fill(0x11, 276 - whole.size());
  whole.set_le32(112, 1u << 10 | 1u << 8); // there is a reset register
  whole.set_le32(116, 0x01000801);         // eight bits in ports
  gen::ByteBuilder out;
  out.raw(whole.bytes().first(length));
  return out;
}

AcpiFadt read(size_t length) { return OneTable(fadt(length)).tables->fadt(); }

TEST(AcpiFadt, AFieldCountsWhenAllOfItIsThere) {
  // Where each ends (table 5.9), and that it is there exactly from that length on.
  const struct {
    const char* name;
    size_t end;
    bool (*is_there)(const AcpiFadt&);
  } kFields[] = {
      {"FACS", 40, [](const AcpiFadt& f) { return f.facs() != 0; }},
      {"DSDT", 44, [](const AcpiFadt& f) { return f.dsdt() != 0; }},
      {"profile", 46, [](const AcpiFadt& f) { return f.profile() != 0; }},
      {"SCI", 48, [](const AcpiFadt& f) { return f.sci() != 0; }},
      {"SMI", 52, [](const AcpiFadt& f) { return f.smi_command() != 0; }},
      {"events", 60, [](const AcpiFadt& f) { return f.pm1a_event().exists(); }},
      {"control", 68, [](const AcpiFadt& f) { return f.pm1a_control().exists(); }},
      {"timer", 80, [](const AcpiFadt& f) { return f.pm_timer().exists(); }},
      {"timer's width", 92, [](const AcpiFadt& f) { return f.pm_timer().bits != 0; }},
      {"century", 109, [](const AcpiFadt& f) { return f.century() != 0; }},
      {"boot flags", 111, [](const AcpiFadt& f) { return f.boot_flags() != 0; }},
      {"flags", 116, [](const AcpiFadt& f) { return f.flags() != 0; }},
      {"reset", 129, [](const AcpiFadt& f) { return f.reset().exists(); }},
      {"ARM flags", 131, [](const AcpiFadt& f) { return f.arm_boot_flags() != 0; }},
      {"wide FACS", 140, [](const AcpiFadt& f) { return f.facs() >> 32 != 0; }},
      {"wide DSDT", 148, [](const AcpiFadt& f) { return f.dsdt() >> 32 != 0; }},
      {"wide events", 160, [](const AcpiFadt& f) { return f.pm1a_event().space == 0x11; }},
      {"wide control", 184, [](const AcpiFadt& f) { return f.pm1a_control().space == 0x11; }},
      {"wide timer", 220, [](const AcpiFadt& f) { return f.pm_timer().space == 0x11; }},
      {"sleep control", 256, [](const AcpiFadt& f) { return f.sleep_control().exists(); }},
      {"sleep status", 268, [](const AcpiFadt& f) { return f.sleep_status().exists(); }},
      {"hypervisor", 276, [](const AcpiFadt& f) { return f.hypervisor() != 0; }},
  };
  for (size_t length = 36; length <= 276; ++length) {
    const AcpiFadt fadt = read(length);
    for (const auto& field : kFields) {
      EXPECT_EQ(field.is_there(fadt), length >= field.end) << field.name << ' ' << length;
    }
  }
}

TEST(AcpiFadt, AWideAddressOfZeroLeavesTheNarrowOne) {
  gen::ByteBuilder out = fadt(276);
  out.set_le64(140, 0);
  out.set_le64(208 + 4, 0);
  const OneTable one(std::move(out));
  EXPECT_EQ(one.tables->fadt().dsdt(), 0x11111111u);
  EXPECT_EQ(one.tables->fadt().pm_timer().space, AcpiRegister::kPorts);
  EXPECT_EQ(one.tables->fadt().pm_timer().bits, 0x11 * 8);
}

TEST(AcpiFadt, AResetRegisterMustBeUsable) {
  const struct {
    size_t at;
    uint8_t value;
  } kLies[] = {{116, 3}, {117, 16}, {118, 1}};
  for (const auto& lie : kLies) {
    gen::ByteBuilder out = fadt(276);
    out.set_u8(lie.at, lie.value);
    const OneTable one(std::move(out));
    EXPECT_FALSE(one.tables->fadt().reset().exists()) << lie.at;
    EXPECT_EQ(one.count(AcpiOddity::kResetRegister), 1u) << lie.at;
  }
}

TEST(AcpiFadt, ReducedHardwareHasNoFixedOne) {
  gen::ByteBuilder out = fadt(276);
  out.set_le32(112, 1u << 20);
  const OneTable one(std::move(out));
  EXPECT_TRUE(one.tables->fadt().hardware_reduced());
  EXPECT_EQ(one.tables->fadt().sci(), 0);
  EXPECT_FALSE(one.tables->fadt().pm_timer().exists());
  EXPECT_TRUE(one.tables->fadt().sleep_control().exists());
}

} // namespace
} // namespace clay::test
