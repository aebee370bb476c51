#include "gates/support/host_tools.h"

namespace kiln::gates {

namespace {

constexpr HostTool kTools[] = {
    {"clang++-19", "clang-19", "building"},
    {"ld.lld-19", "lld-19", "building"},
    {"cmake", "cmake", "building"},
    {"ninja", "ninja-build", "building"},
    {"git", "git", "the commit in bundles"},
    {"llvm-symbolizer-19", "llvm-19", "names and lines in findings"},
    {"llvm-profdata-19", "llvm-19", "cover"},
    {"llvm-cov-19", "llvm-19", "cover"},
    {"gdb", "gdb", "--gdb"},
    {"dtc", "device-tree-compiler", "device trees in tests"},
    {"iasl", "acpica-tools", "tables of ACPI in tests"},
    {"e2fsck", "e2fsprogs", "images of ext2: feed, tests"},
    {"mke2fs", "e2fsprogs", "images of ext2 in tests"},
    {"clang-format-19", "clang-format-19", "formatting"},
    {"clang-tidy-19", "clang-tidy-19", "static checks"},
};

} // namespace

std::span<const HostTool> host_tools() { return kTools; }

} // namespace kiln::gates
