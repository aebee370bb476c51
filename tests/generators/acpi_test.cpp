// The generator's promises: nothing drawn is a plain PC; without a lie the second reader finds the
// tables that a machine has.

#include <gtest/gtest.h>

#include "generators/acpi.h"
#include "worlds/firmware/acpi_reading.h"

namespace kiln::gen {
namespace {

constexpr worlds::acpi::Limits kLimits = {64, 1 << 20, 64, 256, 32, 32,  16, 64, 32, 8,
                                          64, 256,     64, 32,  32, 256, 4,  32, 32, 64};

worlds::acpi::Reading read(const AcpiFirmware& firmware) {
  worlds::PhysicalMemory memory;
  for (const AcpiFirmware::Piece& piece : firmware.memory) {
    memory.put(piece.first, piece.bytes);
  }
  return worlds::acpi::read(memory, {firmware.tag, firmware.pointer}, {}, kLimits);
}

TEST(AcpiGenerator, AnEmptyTapeIsAPlainPc) {
  sim::Tape tape{std::span<const uint8_t>()};
  const AcpiFirmware firmware = make_acpi(tape);
  EXPECT_EQ(firmware.lie, AcpiLie::kNone);
  const worlds::acpi::Reading reading = read(firmware);
  ASSERT_EQ(reading.verdict, worlds::acpi::Reading::Verdict::kTaken);
  for (const uint32_t count : reading.faults) {
    EXPECT_EQ(count, 0u);
  }
  ASSERT_TRUE(reading.madt && reading.fadt);
  EXPECT_EQ(reading.madt->cpus.size(), 1u);
  EXPECT_EQ(reading.madt->io_apics.size(), 1u);
  EXPECT_EQ(reading.tables.size(), 3u); // FADT, MADT, DSDT
}

TEST(AcpiGenerator, WithoutALieEveryTableIsSound) {
  size_t taken = 0;
  for (uint64_t i = 0; i < 1000; ++i) {
    sim::Tape tape(sim::SeededInput{"boot/acpi", 5, i, 2048});
    const AcpiFirmware firmware = make_acpi(tape);
    if (firmware.lie != AcpiLie::kNone) continue;
    const worlds::acpi::Reading reading = read(firmware);
    if (reading.verdict != worlds::acpi::Reading::Verdict::kTaken) continue;
    ++taken;
    using worlds::acpi::Fault;
    EXPECT_EQ(reading.count(Fault::kTableSum), 0u) << i;
    EXPECT_EQ(reading.count(Fault::kTableShort), 0u) << i;
    EXPECT_EQ(reading.count(Fault::kTableLong), 0u) << i;
    EXPECT_EQ(reading.count(Fault::kNoFixedPart), 0u) << i;
  }
  EXPECT_GT(taken, 150u);
}

} // namespace
} // namespace kiln::gen
