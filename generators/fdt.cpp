#include "generators/fdt.h"

#include <algorithm>

#include "generators/fdt/draft.h"

namespace kiln::gen::fdt {
namespace {

void make_root(Maker& m) {
  constexpr Cells kOdd64[] = {{2, 2}, {2, 1}, {3, 2}, {2, 3}, {4, 4}};
  constexpr Cells kOdd32[] = {{1, 1}, {1, 2}, {1, 3}, {1, 4}};
  Cells cells = m.kind.root;
  if (m.style.odd_cells) {
    cells = cells.address == 1 ? m.data.pick(kOdd32) : m.data.pick(kOdd64);
  }
  m.build.open("");
  m.build.u32("interrupt-parent", m.kind.pic.phandle);
  m.build.lay_down(cells, m.style.implicit_cells);
  m.build.string("model", m.kind.model);
  m.build.string("compatible", m.kind.compatible);
  m.facts.model = m.kind.model;
}

/// The parts, beginning anywhere and going round.
void make_parts(Maker& m) {
  void (*const parts[])(Maker&) = {make_memory, m.kind.devices, make_cpus,   make_reserved,
                                   make_chosen, make_aliases,   make_strays, make_buses};
  make_disabled_controller(m);
  const uint64_t first = m.data.below(std::size(parts));
  for (uint64_t i = 0; i < std::size(parts); ++i) {
    parts[(first + i) % std::size(parts)](m);
  }
  make_twins(m);
  make_second_controller(m);
}

void draw_lies(Product& product, sim::Tape::View fault) {
  constexpr uint16_t kCounts[] = {50, 42, 6, 2};
  static_assert(std::size(kCounts) == kMostLies + 1);
  product.lie_count = static_cast<uint32_t>(fault.weighted(kCounts));
  for (uint32_t i = 0; i < product.lie_count; ++i) {
    product.lies[i] = static_cast<Lie>(fault.below(kLies));
  }
}

using Stage = bool (*)(Lie);
bool in_blocks(Lie lie) { return !is_tree_lie(lie) && !is_blob_lie(lie); }

template <typename Tell> void tell(const Product& product, Stage stage, Tell tell_one) {
  for (uint32_t i = 0; i < product.lie_count; ++i) {
    if (stage(product.lies[i])) {
      tell_one(product.lies[i]);
    }
  }
}

/// Bytes behind the blob that are handed over with it, as when firmware says only where it begins.
void add_slack(std::vector<uint8_t>& blob, sim::Tape::View data) {
  constexpr uint32_t kSlack[] = {0, 1, 8, 300};
  blob.resize(blob.size() + data.pick(kSlack), 0xEE);
}

void write_blob(Product& product, const Style& style, sim::Tape& tape) {
  const sim::Span span(tape, "layout");
  sim::Tape::View data = tape.data();
  const uint32_t nops = style.nops ? 1 + data.u16() : 0;
  const Layout layout = style.layout ? Layout::draw(data) : Layout{};
  product.boot_cpu = layout.boot_cpu;
  Draft draft = draft_of(product.tree, style.suffixes, nops, !product.sound());
  tell(product, in_blocks, [&](Lie lie) { lie_in_blocks(draft, lie, tape.fault()); });
  product.blob = blob_of(draft, layout);
  if (style.layout) {
    add_slack(product.blob, data);
  }
}

} // namespace

bool Product::sound() const {
  return std::all_of(lies, lies + lie_count, [](Lie lie) { return is_tree_lie(lie); });
}

const char* lie_text(Lie lie) {
  switch (lie) {
#define KILN_FDT_LIE_TEXT(id, text)                                                                \
  case Lie::id:                                                                                    \
    return text;
    KILN_FDT_TREE_LIES(KILN_FDT_LIE_TEXT)
    KILN_FDT_BLOCK_LIES(KILN_FDT_LIE_TEXT)
    KILN_FDT_BLOB_LIES(KILN_FDT_LIE_TEXT)
#undef KILN_FDT_LIE_TEXT
  }
  return "none";
}

Product make(sim::Tape& tape) {
  const sim::Span span(tape, "device tree");
  sim::Tape::View swarm = tape.swarm();
  const Kind& kind = swarm.pick(kinds());
  const Style style = Style::draw(swarm);
  Maker maker{.tape = tape, .data = tape.data(), .kind = kind, .style = style};
  make_root(maker);
  make_parts(maker);
  maker.build.close();

  Product product;
  product.tree = maker.build.take();
  product.facts = std::move(maker.facts);
  const sim::Span lying(tape, "lies", sim::Lane::kFault);
  draw_lies(product, tape.fault());
  tell(product, is_tree_lie, [&](Lie lie) { lie_in_tree(product.tree, lie, tape.fault()); });
  write_blob(product, style, tape);
  tell(product, is_blob_lie, [&](Lie lie) { lie_in_blob(product.blob, lie, tape.fault()); });
  return product;
}

} // namespace kiln::gen::fdt
