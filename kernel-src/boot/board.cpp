#include "kernel-src/boot/board.h"

#include "kernel-src/boot/fdt_path.h"

namespace clay {
namespace {

/// The oddity that a failed reg entry or translation amounts to.
Oddity oddity_of_range(Error error) {
  return error == Error::kOverflow || error == Error::kUnsupported ? Oddity::kRangeBeyond
                                                                   : Oddity::kRegShape;
}

} // namespace

const char* oddity_text(Oddity oddity) {
  switch (oddity) {
#define CLAY_BOARD_ODDITY_TEXT(id, text)                                                           \
  case Oddity::id:                                                                                 \
    return text;
    CLAY_BOARD_ODDITIES(CLAY_BOARD_ODDITY_TEXT)
#undef CLAY_BOARD_ODDITY_TEXT
  }
  return "unknown";
}

Result<void> Board::read(const fdt::Tree& tree) {
  read_reservations(tree);
  const fdt::Node root = tree.root();
  model_.set(text_of(root.property("model")));
  // Of these there is one each; should there be more, the first counts.
  bool cpus_seen = false;
  bool reserved_seen = false;
  bool chosen_seen = false;
  for (const fdt::Node node : root.children()) {
    if (node.name() == "cpus" && !cpus_seen) {
      cpus_seen = true;
      read_cpus(node);
    } else if (node.name() == "reserved-memory" && !reserved_seen) {
      reserved_seen = true;
      read_reserved_memory(node);
    } else if (node.name() == "chosen" && !chosen_seen) {
      chosen_seen = true;
      read_chosen(tree, node);
    } else if (text_of(node.property("device_type")) == "memory") {
      read_memory(node);
    }
  }
  if (memory_.size() == 0) {
    return Error::kNotFound;
  }
  return {};
}

StringView Board::text_of(const fdt::Property& property) {
  const Result<StringView> text = property.string();
  note_unless(!text.failed_with(Error::kInvalid), Oddity::kTextOpen);
  return text.value_or({});
}

bool Board::is_available(const fdt::Node& node) {
  const fdt::Property status = node.property("status");
  const StringView text = text_of(status);
  return !status.exists() || text == "okay" || text == "ok";
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
      note(oddity_of_range(range.error()));
    } else if (range.value().size == 0) {
      note(Oddity::kRangeEmpty);
    } else {
      take(range.value());
    }
  }
}

void Board::read_memory(const fdt::Node& node) {
  if (!is_available(node)) {
    return;
  }
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
    if (!child.property("reg").exists() || !is_available(child)) {
      continue;
    }
    const bool no_map = child.property("no-map").exists();
    for_each_range(child, [this, no_map](const fdt::Range& range) {
      note_unless(reserved_.add({range, no_map}), Oddity::kReservedFull);
    });
  }
}

} // namespace clay
