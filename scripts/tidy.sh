#!/usr/bin/env bash
# clang-tidy over the sources that changed since a revision (scripts/tidy.sh REV), or over all of
# them. Needs a configured build/gate for its compilation database; .clang-tidy has the checks.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang-tidy-19 >/dev/null || { echo "tidy: clang-tidy-19 is missing; scripts/setup.sh installs it" >&2; exit 2; }
[ -f build/gate/compile_commands.json ] || { echo "tidy: build/gate is not configured; run cmake --preset gate" >&2; exit 2; }
if [ $# -gt 0 ]; then
  sources=$(git diff --name-only --diff-filter=d "$1" -- '*.cpp')
else
  sources=$(git ls-files '*.cpp')
fi
[ -n "$sources" ] || { echo "tidy: nothing to look at"; exit 0; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if echo "$sources" | xargs -P "$(nproc)" -n 4 clang-tidy-19 -p build/gate --quiet >"$log" 2>&1; then
  echo "tidy: clean, $(echo "$sources" | wc -l) files"
else
  grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use -header' "$log"
  exit 1
fi
