#pragma once
// The kernel's own mapping window as a window to firmware's tables.
//
// Context: that of MappingWindow::map and unmap.

#include "kernel-src/boot/physical_window.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/mm/mapping_window.h"

namespace clay {

class KernelWindow final : public PhysicalWindow {
 public:
  /// `window` has been started and must outlive this one.
  explicit KernelWindow(MappingWindow& window) : window_(window) {}

  Result<Bytes> map(uint64_t physical, size_t bytes) override {
    const uint64_t page = align_down(physical, PhysicalWindow::kPageBytes);
    const uint64_t address = CLAY_TRY(window_.map(page)) + (physical - page);
    return Bytes(reinterpret_cast<const uint8_t*>(address), bytes);
  }
  void unmap(Bytes mapped) override {
    window_.unmap(align_down<uint64_t>(reinterpret_cast<uintptr_t>(mapped.data()),
                                       PhysicalWindow::kPageBytes));
  }

 private:
  MappingWindow& window_;
};

} // namespace clay
