#!/usr/bin/env bash
# Installs what is missing of scripts/packages.txt. Debian 12, as root or with sudo. Nothing else is
# fetched. Says nothing when everything is there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

missing=()
while read -r package _; do
  [ -n "$package" ] || continue
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done < <(sed 's/#.*//' "$here/packages.txt")
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: these packages are missing, and neither root nor sudo is there to install them: ${missing[*]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi
echo "setup: installing ${#missing[@]} packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q >/dev/null
"${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null || {
  echo "setup: apt-get could not install: ${missing[*]}; see its message above" >&2
  exit 2
}
