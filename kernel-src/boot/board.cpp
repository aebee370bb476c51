#include "kernel-src/boot/board.h"

#include "kernel-src/boot/fdt_walk.h"

namespace clay {
Result<void> Board::read(const fdt::Tree& tree) {
  read_reservations(tree);
  DeviceReader devices(tree, devices_, oddities_);
  devices.find_controller();
  Seen seen;
  fdt::Walk walk(tree);
  while (walk.next()) {
    if (walk.depth() == 0) {
      model_.set(text_of(walk.path().node().property("model")));
      continue;
    }
    const Section section = walk.depth() == 1 ? section_of(walk) : Section::kDevice;
    if (section != Section::kDevice) {
      read_section(section, walk, devices, seen);
      walk.skip_inside();
      continue;
    }
    if (walk.depth() == 1) {
      static_cast<void>(text_of(walk.device_type())); // an open one might have been "memory"
    }
    if (is_usable(walk.status())) {
      devices.take(walk);
    } else {
      walk.skip_inside();
    }
  }
  if (memory_.size() == 0) {
    return Error::kNotFound;
  }
  return {};
}

void Board::read_section(Section section, const fdt::Walk& walk, DeviceReader& devices,
                         Seen& seen) {
  const fdt::Node node = walk.path().node();
  if (section == Section::kCpus && !seen.cpus) {
    seen.cpus = true;
    read_cpus(node);
  } else if (section == Section::kReservedMemory && !seen.reserved) {
    seen.reserved = true;
    read_reserved_memory(node);
  } else if (section == Section::kChosen && !seen.chosen) {
    seen.chosen = true;
    read_chosen(node, devices);
  } else if (section == Section::kMemory && is_usable(walk.status())) {
    read_memory(node);
  }
}

StringView Board::text_of(const fdt::Property& property) {
  const Result<StringView> text = property.string();
  note_unless(!text.failed_with(Error::kInvalid), Oddity::kTextOpen);
  return text.value_or({});
}

bool Board::is_usable(const fdt::Property& status) {
  static_cast<void>(text_of(status));
  return is_available(status);
}

template <typename Take> void Board::for_each_range(const fdt::Node& node, Take take) {
  const Result<fdt::RegList> reg = node.reg();
  if (!reg.ok()) {
    note(Oddity::kRegShape);
    return;
  }
  for (size_t i = 0; i < reg.value().count(); ++i) {
    const Result<fdt::Range> range = reg.value().at(i);
    if (!range.ok()) {
      note(Oddity::kRangeBeyond);
    } else if (range.value().size == 0) {
      note(Oddity::kRangeEmpty);
    } else {
      take(range.value());
    }
  }
}

void Board::read_memory(const fdt::Node& node) {
  for_each_range(node, [this](const fdt::Range& range) {
    note_unless(memory_.add(range), Oddity::kMemoryFull);
  });
}

void Board::read_reservations(const fdt::Tree& tree) {
  for (size_t i = 0; i < tree.reservations(); ++i) {
    const fdt::Range entry = tree.reservation(i);
    const Result<fdt::Range> range = fdt::make_range(entry.base, entry.size);
    if (!range.ok()) {
      note(Oddity::kRangeBeyond);
    } else if (entry.size == 0) {
      note(Oddity::kRangeEmpty);
    } else {
      note_unless(reserved_.add({entry, false}), Oddity::kReservedFull);
    }
  }
}

void Board::read_reserved_memory(const fdt::Node& node) {
  for (const fdt::Node child : node.children()) {
    // Without a reg it asks for memory of a size, anywhere: nothing is taken yet.
    if (!child.property("reg").exists() || !is_usable(child.property("status"))) {
      continue;
    }
    const bool no_map = child.property("no-map").exists();
    for_each_range(child, [this, no_map](const fdt::Range& range) {
      note_unless(reserved_.add({range, no_map}), Oddity::kReservedFull);
    });
  }
}

} // namespace clay
