#!/usr/bin/env bash
# What is too long for a push: the longer gate, a million inputs twice, the same digests in other
# flavours, the libFuzzer flavour's build and a short search, the kernel's coverage, clang-tidy over
# everything. About an
# hour on two cores. Stops at the first thing that is wrong.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
for flavour in gate fast fuzzer cover; do
  cmake --preset "$flavour" >/dev/null
done
cmake --build build/gate
cmake --build build/fast --target kiln
cmake --build build/fuzzer --target kiln-fuzzer
cmake --build build/cover --target kiln

echo "nightly: the gate's longer tier"
build/gate/kiln --tier nightly

echo "nightly: a million inputs, twice; and gate against fast"
scripts/check_determinism.py --inputs 1000000
scripts/check_determinism.py --inputs 200000 --other build/fast/kiln

echo "nightly: a search guided by coverage"
build/fuzzer/kiln-fuzzer --target=boot/fdt -runs=20000 -seed=1 "$(mktemp -d)"

echo "nightly: what the gate covers of the kernel"
build/cover/kiln cover --out build/cover/out

echo "nightly: every mutant of the kernel, then of the harness"
python3 scripts/fuzz.py mutate
python3 scripts/fuzz.py mutate --harness --out build/mutants-harness/out

echo "nightly: clang-tidy"
scripts/tidy.sh
echo "nightly: all passed"
