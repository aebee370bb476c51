#!/usr/bin/env bash
# From a fresh Debian 12 machine to a green table: installs what is missing, builds, runs the gate.
# Arguments go to scripts/fuzz.py.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
exec python3 scripts/fuzz.py "$@"
