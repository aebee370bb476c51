// Nodes that a kernel has no use for, made to be mistaken for those that it has; and twins of nodes
// and properties of which the first counts.

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

constexpr const char* kStrayNames[] = {
    "stray", "memory", "cpus", "chosen",    "bus@0",           "soc@0,1", "reg",
    "cpu@0", "a",      "@1",   "gpio-keys", "reserved-memory", "aliases"};
constexpr uint64_t kDeepest = 20;

/// A property that would mean something in its right place.
void make_misleading(Maker& m) {
  switch (m.data.below(8)) {
  case 0:
    return m.build.text("compatible", "vendor,thing\0vendor,other");
  case 1:
    return m.build.text("device_type", "memory");
  case 2:
    return m.build.cells("reg", {0, 0x1000, 0, 0x1000, 7});
  case 3:
    return m.build.u32("#address-cells", static_cast<uint32_t>(m.data.below(5)));
  case 4:
    return m.build.u32("#size-cells", static_cast<uint32_t>(m.data.below(5)));
  case 5:
    return m.build.text("bootargs", "not=this");
  case 6:
    return m.build.flag("ranges");
  default:
    return m.build.text("a-property-whose-name-is-longer-than-the-31-characters-of-the-rule", "x");
  }
}

void make_stray(Maker& m, const char* name) {
  const sim::Span span(m.tape, "stray");
  m.build.open(name);
  for (uint64_t i = m.data.below(4); i > 0; --i) {
    make_misleading(m);
  }
}

} // namespace

void make_strays(Maker& m) {
  if (!m.style.strays) {
    return;
  }
  // Directly under the root only a name that means nothing there.
  m.build.open("stray");
  uint64_t depth = 1;
  for (uint64_t i = m.data.below(12); i > 0; --i) {
    if (depth > 1 && m.data.chance(1, 3)) {
      m.build.close();
      --depth;
    }
    make_stray(m, m.data.pick(kStrayNames));
    ++depth;
  }
  if (m.data.chance(1, 4)) {
    for (const uint64_t wanted = m.data.between(depth, kDeepest); depth < wanted; ++depth) {
      m.build.open("deep");
    }
  }
  for (; depth > 0; --depth) {
    m.build.close();
  }
}

void make_twins(Maker& m) {
  if (!m.style.twins) {
    return;
  }
  constexpr const char* kNames[] = {"chosen", "cpus", "aliases", "reserved-memory"};
  for (uint64_t i = m.data.below(4); i > 0; --i) {
    const std::string_view name = m.data.pick(kNames);
    m.build.open(name);
    m.build.text("bootargs", "the second does not count");
    m.build.text("bootargs", "nor the third");
    m.build.open("cpu@77"); // a region, too
    m.build.text("device_type", "cpu");
    m.build.text("compatible", "virtio,mmio");
    if (m.has_regions || name != "reserved-memory") {
      m.build.reg({{0x7700'0000, 0x1000}});
    }
    m.build.close();
    m.build.close();
  }
}

} // namespace kiln::gen::fdt
