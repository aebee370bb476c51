// Where the first register and the first interrupts of each node lead, and each alias, asked of
// Clay's tree directly: also of nodes that no board needs, and with the reason where they lead
// nowhere.

#include "kernel-src/boot/fdt_interrupt.h"
#include "kernel-src/boot/fdt_walk.h"
#include "sim/machine.h"
#include "targets/boot/fdt_compare.h"
#include "targets/boot/texts.h"
#include "worlds/firmware/fdt_interrupts.h"

namespace kiln::targets {
namespace {

using clay::Error;
using clay::Result;
using worlds::fdt::Arrival;
using worlds::fdt::Hidden;

bool is_error_of(Error error, Hidden why) {
  switch (why) {
  case Hidden::kNowhere:
    return error == Error::kNotFound;
  case Hidden::kShape:
    return error == Error::kInvalid;
  default:
    return error == Error::kUnsupported || error == Error::kOverflow;
  }
}

bool is_error_of(Error error, Arrival::Fate fate) {
  switch (fate) {
  case Arrival::Fate::kAbsent:
    return error == Error::kNotFound;
  case Arrival::Fate::kShape:
    return error == Error::kInvalid;
  case Arrival::Fate::kParent:
    return error == Error::kNoDevice;
  default:
    return error == Error::kUnreachable || error == Error::kTooMany;
  }
}

class WayCheck {
 public:
  WayCheck(const clay::fdt::Tree& got, const worlds::fdt::Tree& want)
      : got_(got), want_(want), buses_(want), interrupts_(got),
        other_(want, buses_, clay::fdt::kMaxMaps) {}

  void check() {
    clay::fdt::Walk walk(got_);
    for (size_t node = 0; walk.next(); ++node) {
      KILN_CHECK(node < want_.nodes.size() && is(walk.path().node().name(), want_.nodes[node].name),
                 "a walk comes by '%.*s' as node %zu", KILN_TEXT(walk.path().node().name()), node);
      check_register(walk.path(), want_.nodes[node]);
      // Every device of the plainest boards; of the others those with interrupts of their own.
      const bool speaks = want_.property(want_.nodes[node], "interrupts") != nullptr ||
                          want_.property(want_.nodes[node], "interrupts-extended") != nullptr;
      for (size_t index = 0; index < (speaks ? 3u : node % 8 == 1 ? 1u : 0u); ++index) {
        check_interrupt(walk.path(), node, index);
      }
    }
    check_aliases();
  }

 private:
  void check_aliases() {
    check_path("");
    for (const worlds::fdt::Node& node : want_.nodes) {
      if (node.name != "aliases") continue;
      for (const worlds::fdt::Property& alias : want_.properties_of(node))
        check_path(alias.name);
    }
  }

  void check_path(std::string_view path) {
    const std::optional<size_t> want = buses_.find(path);
    const Result<clay::fdt::Path> got =
        clay::fdt::Path::find(got_, clay::StringView(path.data(), path.size()));
    KILN_CHECK(want ? got.ok() : got.failed_with(Error::kNotFound), "the alias '%.*s' is %s: %s",
               KILN_TEXT(path), got.ok() ? "found" : "not found",
               got.ok() ? "" : clay::error_text(got.error()));
    KILN_CHECK(!want || got.value().node().name().data() == want_.nodes[*want].name.data(),
               "the alias '%.*s' leads to '%.*s'", KILN_TEXT(path),
               KILN_TEXT(got.value().node().name()));
  }

  void check_register(const clay::fdt::Path& path, const worlds::fdt::Node& node) {
    Hidden why = Hidden::kNowhere;
    const std::optional<worlds::fdt::Range> want = buses_.cpu_range(node, 0, nullptr, &why);
    const Result<clay::fdt::Range> got = path.reg(0);
    KILN_CHECK(want ? got.ok() : !got.ok() && is_error_of(got.error(), why),
               "the first register of '%.*s' is %s: %s", KILN_TEXT(node.name),
               got.ok() ? "seen" : "not seen", got.ok() ? "" : clay::error_text(got.error()));
    KILN_CHECK(!want || (got.value().base == want->base && got.value().size == want->size),
               "the first register of '%.*s' is seen at 0x%llx", KILN_TEXT(node.name),
               KILN_U64(got.value().base));
  }

  void check_interrupt(const clay::fdt::Path& path, size_t node, size_t index) {
    const Arrival want = other_.of(node, index);
    const bool arrives = want.fate == Arrival::Fate::kArrives;
    const Result<clay::fdt::Interrupt> got = interrupts_.of(path, index);
    KILN_CHECK(arrives ? got.ok() : !got.ok() && is_error_of(got.error(), want.fate),
               "interrupt %zu of '%.*s' %s: %s", index, KILN_TEXT(want_.nodes[node].name),
               got.ok() ? "arrives" : "does not arrive",
               got.ok() ? "" : clay::error_text(got.error()));
    if (arrives) {
      check_arrival(got.value(), want);
    }
  }

  void check_arrival(const clay::fdt::Interrupt& got, const Arrival& want) {
    const auto place = want_.nodes[want.controller].name.data() - want_.nodes[0].name.data();
    KILN_CHECK(
        got.at.is_controller && place == static_cast<ptrdiff_t>(got.at.place) - got_.root().place(),
        "an interrupt does not arrive at '%.*s'", KILN_TEXT(want_.nodes[want.controller].name));
    KILN_CHECK(got.specifier.data() == want.specifier.data() &&
                   got.specifier.size() == want.specifier.size(),
               "a specifier of %zu bytes, not %zu, or in another place", got.specifier.size(),
               want.specifier.size());
  }

  const clay::fdt::Tree& got_;
  const worlds::fdt::Tree& want_;
  worlds::fdt::Buses buses_;
  clay::fdt::InterruptTree interrupts_;
  worlds::fdt::Interrupts other_;
};

} // namespace

void check_ways(const clay::fdt::Tree& got, const worlds::fdt::Tree& want) {
  WayCheck(got, want).check();
}

} // namespace kiln::targets
