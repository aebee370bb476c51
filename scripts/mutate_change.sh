#!/usr/bin/env bash
# Do the gates notice what a change could have got wrong? The catalogue of named mutants, and every
# mutant on a line of the kernel that has changed since a revision (HEAD~1 unless said):
#
#   scripts/mutate_change.sh [REVISION]
#
# Only mutants of the files that changed are made, so that the program is built quickly. Everything
# else that one might want to break: scripts/fuzz.py mutate.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/mutants-change
since=${1:-}
if [ -z "$since" ]; then
  since=$(git rev-parse --verify --quiet HEAD~1 2>/dev/null || true) # none in a shallow clone
fi
changed=
if [ -n "$since" ]; then
  kernel=('kernel-src/*.cpp' 'kernel-src/*.h')
  changed=$({ git diff --name-only --diff-filter=d "$since" -- "${kernel[@]}" &&
              git ls-files --others --exclude-standard -- "${kernel[@]}"; } | paste -sd';')
fi
mutator= # the tests' build has one
if [ -x build/gate/kiln-mutator ]; then
  cmake --build build/gate --target kiln-mutator >/dev/null
  mutator=$PWD/build/gate/kiln-mutator
fi
# One file always, and the example of a kernel of one's own: the command line's tests break them.
cmake --preset mutants -B "$folder" -D KILN_MUTATOR="$mutator" \
      -D KILN_MUTATED_FILES="kernel-src/boot/cmdline.cpp${changed:+;$changed}" >/dev/null
cmake --build "$folder" --target kiln kiln-tiny
"$folder/kiln" mutate --named --out "$folder/named"
if [ -z "$changed" ]; then
  echo "No file of the kernel has changed since ${since:-the beginning of this clone}."
  exit 0
fi
# A change is small: one survivor of a dozen says less than one of a hundred.
"$folder/kiln" mutate --since "$since" --threshold 85 --out "$folder/change"
