#!/usr/bin/env bash
# From a fresh Debian 12 machine to passed tests: installs what is missing, builds, runs every test
# and the gate. Arguments go to ctest (-R NAME runs some only).
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
cmake --preset gate >/dev/null
cmake --build build/gate
cd build/gate
exec ctest --output-on-failure -j "$(nproc)" "$@"
