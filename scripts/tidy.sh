#!/usr/bin/env bash
# clang-tidy over the sources that changed since a revision (scripts/tidy.sh REV), since the branch
# left main (--branch: what a push looks at, at most so many files), or over all of them. Needs a
# configured build/gate for its compilation database; .clang-tidy has the checks.
set -euo pipefail
cd "$(dirname "$0")/.."
MOST_IN_A_PUSH=40
command -v clang-tidy-19 >/dev/null || { echo "tidy: clang-tidy-19 is missing; scripts/setup.sh installs it" >&2; exit 2; }
[ -f build/gate/compile_commands.json ] || { echo "tidy: build/gate is not configured; run cmake --preset gate" >&2; exit 2; }

changed_since() { git diff --name-only --diff-filter=d "$1" -- '*.cpp'; }
branch_point() { git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null || echo HEAD; }
git rev-parse --verify -q HEAD >/dev/null || { echo "tidy: not a repository with a commit: nothing to look at"; exit 0; }

case "${1-}" in
"") sources=$(git ls-files '*.cpp') ;;
--branch) sources=$(changed_since "$(branch_point)") ;;
*) sources=$(changed_since "$1") ;;
esac
[ -n "$sources" ] || { echo "tidy: nothing to look at"; exit 0; }
count=$(echo "$sources" | wc -l)
if [ "${1-}" = --branch ] && [ "$count" -gt "$MOST_IN_A_PUSH" ]; then
  echo "tidy: $count files changed, too many for a push: left to scripts/nightly.sh"
  exit 0
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if echo "$sources" | xargs -P "$(nproc)" -n 4 clang-tidy-19 -p build/gate --quiet >"$log" 2>&1; then
  echo "tidy: clean, $count files"
else
  grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use -header' "$log"
  exit 1
fi
