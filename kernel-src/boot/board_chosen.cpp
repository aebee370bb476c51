// What /chosen says (Devicetree Specification v0.4, 3.6): command line, initial RAM disk, console.

#include "kernel-src/boot/board.h"
#include "kernel-src/boot/fdt_path.h"

namespace clay {

void Board::read_chosen(const fdt::Node& chosen, DeviceReader& devices) {
  note_unless(bootargs_.set_words(text_of(chosen.property("bootargs"))), Oddity::kBootargsCut);
  read_initrd(chosen);
  fdt::Property console = chosen.property("stdout-path");
  if (!console.exists()) {
    console = chosen.property("linux,stdout-path");
  }
  const StringView text = text_of(console);
  if (!text.empty()) {
    read_serial(StringView(text).split_off(':'), devices);
  }
}

void Board::read_initrd(const fdt::Node& chosen) {
  const Result<uint64_t> start = chosen.property("linux,initrd-start").number();
  const Result<uint64_t> end = chosen.property("linux,initrd-end").number();
  if (start.failed_with(Error::kNotFound) && end.failed_with(Error::kNotFound)) {
    return;
  }
  if (!start.ok() || !end.ok() || end.value() <= start.value()) {
    note(Oddity::kInitrd);
    return;
  }
  initrd_ = {start.value(), end.value() - start.value()};
}

void Board::read_serial(StringView path, DeviceReader& devices) {
  const Result<fdt::Path> place = fdt::Path::find(devices.tree(), path);
  if (!place.ok()) {
    note(Oddity::kSerialPath);
    return;
  }
  const Result<fdt::Range> registers = place.value().reg(0);
  if (!registers.ok()) {
    note(Oddity::kSerialAddress);
    return;
  }
  serial_.registers = registers.value();
  serial_.compatible.set(text_of(place.value().node().property("compatible")));
  serial_.irq = devices.interrupts().of(place.value(), 0);
  has_serial_ = true;
}

} // namespace clay
