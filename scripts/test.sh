#!/usr/bin/env bash
# From a fresh Debian 12 machine to passed tests: installs what is missing, builds, runs every test
# and the gate. Arguments go to ctest (-R NAME runs some only).
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
# Two programs are built, of objects that are mostly the same.
if [ -z "${KILN_COMPILER_LAUNCHER+set}" ]; then
  export KILN_COMPILER_LAUNCHER=ccache CCACHE_DIR="$PWD/build/ccache"
fi
cmake --preset gate >/dev/null
cmake --build build/gate
cd build/gate
exec ctest --output-on-failure -j "$(nproc)" "$@"
