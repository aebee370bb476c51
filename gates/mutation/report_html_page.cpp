// The page's frame. Colours are named once for light and once for dark.

#include <fmt/format.h>

#include "gates/mutation/report_html.h"
#include "gates/run/summary.h"

namespace kiln::gates {
namespace {

constexpr std::string_view kStyle = R"(
:root { --ground: #ffffff; --text: #1b1f24; --faint: #5c6670; --rule: #d5dae0; --raised: #f4f6f8;
  --killed: #2b8a3e; --noticed: #c92a2a; --different: #e67700; --reached: #868e96;
  --gone: #ffe3e3; --new: #d3f9d8; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171a; --text: #dde2e7; --faint: #98a2ad; --rule: #343b42; --raised: #1d2226;
    --killed: #51cf66; --noticed: #ff6b6b; --different: #ffa94d; --reached: #868e96;
    --gone: #5b2326; --new: #1d4a2a; } }
:root { color-scheme: light dark; }
body { background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif;
  margin: 0 auto; max-width: 76rem; padding: 1rem 1.5rem 4rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
h3 { font-size: 1rem; margin-bottom: .3rem; }
.faint { color: var(--faint); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--rule); padding: .25rem .6rem; text-align: left;
  vertical-align: top; }
th { color: var(--faint); font-weight: normal; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.folder td { background: var(--raised); font-weight: 600; }
.bar { display: flex; width: 9rem; height: .8rem; margin-top: .35rem; background: var(--raised); }
.bar i { height: 100%; }
.killed { background: var(--killed); } .not-noticed { background: var(--noticed); }
.never-different { background: var(--different); } .not-reached { background: var(--reached); }
.bad { color: var(--noticed); font-weight: 600; }
article { border: 1px solid var(--rule); border-radius: 4px; margin: .8rem 0; padding: .5rem .8rem; }
article p { margin: .2rem 0; }
pre { background: var(--raised); margin: .5rem 0 0; overflow-x: auto; padding: .4rem 0; }
pre span { display: block; padding: 0 .6rem; white-space: pre; }
pre .removed { background: var(--gone); } pre .added { background: var(--new); }
pre del, pre ins { text-decoration: none; font-weight: 700; border-bottom: 2px solid; }
#filter { position: sticky; top: 0; background: var(--ground); padding: .6rem 0; z-index: 1; }
#filter input { font: inherit; width: 100%; box-sizing: border-box; padding: .4rem .6rem;
  background: var(--raised); color: var(--text); border: 1px solid var(--rule); }
[hidden] { display: none; }
)";

constexpr std::string_view kScript = R"(
const box = document.querySelector("#filter input");
const rows = [...document.querySelectorAll("[data-row]")];
const texts = rows.map(row => row.textContent.toLowerCase());
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(word => word);
  rows.forEach((row, i) => { row.hidden = !words.every(word => texts[i].includes(word)); });
  if (words.length) document.querySelectorAll("details").forEach(it => { it.open = true; });
});
)";

} // namespace

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width\">\n"
                     "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}"
                     "<script>{}</script>\n</body>\n</html>\n",
                     html_text(title), kStyle, body, kScript);
}

std::string html_text(std::string_view text) { return xml_escaped(text); }

std::string html_code(std::string_view text) {
  return fmt::format("<code>{}</code>", html_text(text));
}

std::string html_change(const sim::Mutant& mutant) {
  if (*mutant.replacement == 0) return html_code(mutant.original) + " is left out";
  return fmt::format("{} becomes {}", html_code(mutant.original), html_code(mutant.replacement));
}

std::string html_place(const char* path, uint32_t line) {
  return html_code(fmt::format("{}:{}", path, line));
}

} // namespace kiln::gates
