#include "targets/boot/acpi_dump.h"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <string_view>

#include "generators/byte_builder.h"

namespace kiln::targets {
namespace {

using Piece = gen::AcpiFirmware::Piece;

constexpr size_t kHeader = 36;
constexpr size_t kLineBytes = 16;

bool is_called(const Piece& piece, std::string_view name) {
  return piece.bytes.size() >= name.size() &&
         std::equal(name.begin(), name.end(), piece.bytes.begin());
}

bool is_root_table(const Piece& piece) {
  return is_called(piece, "XSDT") || is_called(piece, "RSDT");
}

bool is_table(const Piece& piece) {
  return piece.bytes.size() >= kHeader &&
         std::all_of(piece.bytes.begin(), piece.bytes.begin() + 4, [](uint8_t c) {
           return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

/// A hexadecimal number at the front of `text`, which is taken off.
template <typename T> bool take_hex(std::string_view& text, T& out) {
  const auto [behind, problem] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
  text.remove_prefix(static_cast<size_t>(behind - text.data()));
  return problem == std::errc();
}

/// "    0010: 50 43 41 ...  text": at most 16 bytes, whatever stands behind them.
void take_bytes(std::string_view line, std::vector<uint8_t>& out) {
  uint32_t offset = 0;
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (!take_hex(line, offset) || !line.starts_with(": ")) return;
  line.remove_prefix(2);
  for (size_t i = 0; i < kLineBytes && line.size() >= 2; ++i) {
    uint8_t byte = 0;
    std::string_view two = line.substr(0, 2);
    if (!take_hex(two, byte) || !two.empty()) return;
    out.push_back(byte);
    line.remove_prefix(std::min<size_t>(3, line.size()));
  }
}

std::vector<Piece> read_dump(std::string_view text) {
  constexpr std::string_view kAt = " @ 0x";
  std::vector<Piece> pieces;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    uint64_t address = 0;
    if (const size_t at = line.find(kAt); at != std::string_view::npos) {
      line.remove_prefix(at + kAt.size());
      if (take_hex(line, address)) pieces.push_back({address, {}});
    } else if (!pieces.empty()) {
      take_bytes(line, pieces.back().bytes);
    }
  }
  return pieces;
}

std::vector<uint8_t> sealed(gen::ByteBuilder& out) {
  out.set_le32(4, static_cast<uint32_t>(out.size()));
  std::vector<uint8_t> bytes = out.take();
  gen::seal_acpi_table(bytes, bytes.size());
  return bytes;
}

/// An XSDT over everything that one names, in places of our own where they have none.
void make_root(gen::AcpiFirmware& firmware) {
  uint64_t next = 0x7FF00000;
  gen::ByteBuilder xsdt;
  xsdt.text("XSDT").le32(0).u8(1).u8(0).text("KILN  CLAY    ").le32(1).text("KILN").le32(1);
  for (Piece& piece : firmware.memory) {
    if (piece.first == 0) {
      piece.first = next;
      next += (piece.bytes.size() + 15) / 16 * 16;
    }
    if (is_table(piece) && !is_root_table(piece) && !is_called(piece, "FACS") &&
        !is_called(piece, "DSDT")) {
      xsdt.le64(piece.first);
    }
  }
  firmware.memory.push_back({next, sealed(xsdt)});
  gen::ByteBuilder rsdp;
  rsdp.text("RSD PTR ").u8(0).text("KILN  ").u8(2).le32(0).le32(kHeader).le64(next).le32(0);
  const auto sum = [&rsdp](size_t bytes) {
    uint32_t total = 0;
    for (const uint8_t byte : rsdp.bytes().first(bytes)) {
      total += byte;
    }
    return static_cast<uint8_t>((256 - total % 256) % 256);
  };
  rsdp.set_u8(8, sum(20));
  rsdp.set_u8(32, sum(kHeader));
  firmware.tag = rsdp.take();
}

void write_piece(const Piece& piece, const char* name, std::string& out) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4s @ 0x%016" PRIX64 "\n", name, piece.first);
  out += text;
  for (size_t line = 0; line < piece.bytes.size(); line += kLineBytes) {
    std::snprintf(text, sizeof text, "    %04zX:", line);
    out += text;
    std::string letters;
    for (size_t i = 0; i < kLineBytes; ++i) {
      if (line + i >= piece.bytes.size()) {
        out += "   ";
        continue;
      }
      const uint8_t byte = piece.bytes[line + i];
      std::snprintf(text, sizeof text, " %02X", byte);
      out += text;
      letters += byte >= ' ' && byte < 0x7F ? static_cast<char>(byte) : '.';
    }
    out += "  " + letters + "\n";
  }
  out += "\n";
}

} // namespace

gen::AcpiFirmware read_acpi_file(std::span<const uint8_t> file) {
  gen::AcpiFirmware firmware;
  std::vector<Piece> pieces =
      read_dump(std::string_view(reinterpret_cast<const char*>(file.data()), file.size()));
  if (pieces.empty() || pieces.front().bytes.empty()) {
    const Piece whole{0, {file.begin(), file.end()}};
    if (is_table(whole)) {
      firmware.memory = {whole};
      make_root(firmware);
    }
    return firmware;
  }
  bool placed = true;
  bool has_root = false;
  for (Piece& piece : pieces) {
    if (is_called(piece, "RSD PTR ")) {
      firmware.tag = std::move(piece.bytes);
      continue;
    }
    placed &= piece.first != 0;
    has_root |= is_root_table(piece);
    firmware.memory.push_back(std::move(piece));
  }
  if (firmware.tag.empty() || !placed || !has_root) {
    make_root(firmware);
  }
  return firmware;
}

std::string write_acpi_dump(const gen::AcpiFirmware& firmware) {
  std::string out;
  if (!firmware.tag.empty()) write_piece({firmware.pointer, firmware.tag}, "RSDP", out);
  for (const Piece& piece : firmware.memory) {
    if (is_called(piece, "RSD PTR ") && firmware.tag.empty()) {
      write_piece(piece, "RSDP", out);
    } else if (is_table(piece)) {
      const std::string name(piece.bytes.begin(), piece.bytes.begin() + 4);
      write_piece(piece, name.c_str(), out);
    }
  }
  return out;
}

} // namespace kiln::targets
