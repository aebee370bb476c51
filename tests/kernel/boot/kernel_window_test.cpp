#include "hal-host/tlb.h"
#include "kernel-src/boot/kernel_window.h"
#include "tests/kernel/mm/mm_test.h"

namespace kiln::test {
namespace {

constexpr uint64_t kAddress = 0xFFFF'8000'4000'0000;

struct Window : SmallMemory {
  clay::PageTable table{cache, 46};
  clay::MappingWindow mapping{table, kAddress, 2};
  clay::KernelWindow window{mapping};
  Window() { KILN_CHECK(table.start().ok() && mapping.start().ok(), "no window"); }
};

TEST(KernelWindow, MapsThePageAroundAPiece) {
  expect_silent_in_order([](sim::Run&) {
    Window w;
    const clay::Bytes piece = w.window.map(0x7FFE0FF0, 16).value();
    const auto address = reinterpret_cast<uintptr_t>(piece.data());
    KILN_CHECK(piece.size() == 16 && address % 4096 == 0xFF0, "place in the page");
    KILN_CHECK(w.table.find(address).value().physical == 0x7FFE0FF0, "physical place");
    w.window.unmap(piece);
    KILN_CHECK(!w.table.find(address).ok(), "still mapped");
  });
}

TEST(KernelWindow, PassesRefusalsOn) {
  expect_silent_in_order([](sim::Run&) {
    Window w;
    const clay::Bytes a = w.window.map(0x1000, 1).value();
    const clay::Bytes b = w.window.map(0x1001, 1).value();
    KILN_CHECK(w.window.map(0x1002, 1).failed_with(clay::Error::kTooMany), "a third slot");
    w.window.unmap(b);
    KILN_CHECK(w.window.map(uint64_t{1} << 46, 1).failed_with(clay::Error::kOutOfRange), "46 bits");
    w.window.unmap(a);
  });
}

} // namespace
} // namespace kiln::test
