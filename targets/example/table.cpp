// A parser and what it takes to fuzz one: the example of docs/write-a-target.md, "Parsers", and
// what `new-target --parser` starts a new target from.
//
// The format: a header of 8 bytes ("KT", a version, how many records, the length of the whole table
// with its header), then records of a kind, a length and as many bytes. Numbers are big-endian;
// what follows the table is not read.
//
// Checks: the parser takes what a second reader, written from the format's description, takes, and
// reads the same; where no lie was told, that reader reads what the generator meant; nothing beside
// the bytes is read. Does not check: which of several reasons a refusal names.

#include <numeric>
#include <optional>
#include <string>

#include "generators/byte_builder.h"
#include "kernel-src/lib/byte_reader.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln::targets {
namespace {

constexpr const char* kName = "example/table";

constexpr uint8_t kVersion = 1;
constexpr size_t kHeaderBytes = 8;

/// What is read out of a table.
struct Summary {
  uint32_t records = 0;
  uint32_t value_bytes = 0;
  uint32_t sum = 0; ///< of all bytes of values
  bool operator==(const Summary&) const = default;
};

// --- The parser under test. Yours is in the kernel: include its header, and this part goes.

clay::Result<Summary> parse(clay::Bytes bytes) {
  clay::ByteReader reader(bytes);
  const uint16_t magic = CLAY_TRY(reader.be16());
  const uint8_t version = CLAY_TRY(reader.u8());
  const uint8_t records = CLAY_TRY(reader.u8());
  const uint32_t length = CLAY_TRY(reader.be32());
  if (magic != 0x4B54 || version != kVersion || length < kHeaderBytes) {
    return clay::Error::kCorrupt;
  }
  clay::ByteReader body = CLAY_TRY(reader.sub(length - kHeaderBytes));
  Summary summary{records, 0, 0};
  for (uint8_t i = 0; i < records; ++i) {
    CLAY_TRY(body.skip(1));
    const clay::Bytes value = CLAY_TRY(body.bytes(CLAY_TRY(body.u8())));
    summary.value_bytes += static_cast<uint32_t>(value.size());
    for (const uint8_t byte : value) {
      summary.sum += byte;
    }
  }
  if (!body.at_end()) {
    return clay::Error::kCorrupt;
  }
  return summary;
}

// --- The generator: a sound table, then at most one lie about it

// What a lie is about; 0 is the ordinary choice.
#define TABLE_LIES(X)                                                                              \
  X(kNone, "none")                                                                                 \
  X(kHeader, "a byte of the header is another")                                                    \
  X(kRecords, "the header counts other records")                                                   \
  X(kLength, "the header says another length")                                                     \
  X(kRecordLength, "a record says another length")                                                 \
  X(kCut, "the table is cut off")                                                                  \
  X(kBehind, "bytes follow the table")

#define TABLE_LIE_ENUM(id, text) id,
enum class Lie : uint8_t { TABLE_LIES(TABLE_LIE_ENUM) };
#define TABLE_LIE_PROBE(id, text) {kName, "lie: " text},
const sim::Probe kLies[] = {TABLE_LIES(TABLE_LIE_PROBE)};

const sim::Probe kTaken{kName, "a table is taken"};
const sim::Probe kRefused{kName, "a table is refused"};
const sim::Probe kEmpty{kName, "a table without records"};

struct Product {
  std::vector<uint8_t> blob;
  Summary meant;
  Lie lie = Lie::kNone;
  size_t last_record = 0; ///< where it begins; 0 without records: the header is lied about then
};

void add_record(sim::Tape& tape, gen::ByteBuilder& out, Product& product) {
  sim::Span span(tape, "record");
  auto data = tape.data();
  uint8_t value[8];
  const std::span<uint8_t> used = std::span(value).first(static_cast<size_t>(data.below(9)));
  product.last_record = out.size();
  out.u8(data.u8()).u8(static_cast<uint8_t>(used.size()));
  data.bytes(used);
  out.raw(used);
  product.meant.value_bytes += static_cast<uint32_t>(used.size());
  for (const uint8_t byte : used) {
    product.meant.sum += byte;
  }
}

/// Another number than `value`: its neighbours, the ends of its range, anything.
uint8_t other_than(sim::Tape::View& fault, uint8_t value) {
  constexpr unsigned kDistances[] = {1, 255, 2, 254, 128};
  const unsigned distance = fault.boolean() ? fault.pick(kDistances) : fault.u8() % 255U + 1U;
  return static_cast<uint8_t>((value + distance) % 256);
}

void tell_lie(sim::Tape& tape, Product& product) {
  auto fault = tape.fault();
  std::vector<uint8_t>& blob = product.blob;
  size_t at = static_cast<size_t>(fault.below(kHeaderBytes));
  switch (product.lie) {
  case Lie::kNone:
    return;
  case Lie::kRecords:
    at = 3;
    break;
  case Lie::kLength:
    at = fault.chance(1, 4) ? 4 : 7;
    break;
  case Lie::kRecordLength:
    at = product.last_record + 1;
    break;
  case Lie::kCut:
    return blob.resize(static_cast<size_t>(fault.below(blob.size())));
  case Lie::kBehind:
    return blob.resize(blob.size() + static_cast<size_t>(fault.between(1, 16)), fault.u8());
  default:
    break;
  }
  blob[at] = other_than(fault, blob[at]);
}

Product make(sim::Tape& tape) {
  auto data = tape.data();
  Product product;
  gen::ByteBuilder out;
  out.text("KT").u8(kVersion).u8(0).be32(0);
  product.meant.records = static_cast<uint32_t>(data.below(6));
  for (uint32_t i = 0; i < product.meant.records; ++i) {
    add_record(tape, out, product);
  }
  out.set_u8(3, static_cast<uint8_t>(product.meant.records));
  out.set_be32(4, static_cast<uint32_t>(out.size()));
  product.blob = out.take();
  // Sound tables as often as all lies together.
  product.lie = static_cast<Lie>(tape.fault().weighted({6, 1, 1, 1, 1, 1, 1}));
  tell_lie(tape, product);
  return product;
}

// --- The oracle: the format once more, in the plainest way, sharing nothing with the parser

std::optional<Summary> read_plainly(std::span<const uint8_t> bytes) {
  if (bytes.size() < kHeaderBytes || bytes[0] != 'K' || bytes[1] != 'T' || bytes[2] != kVersion) {
    return std::nullopt;
  }
  size_t at = kHeaderBytes;
  Summary summary{bytes[3], 0, 0};
  for (uint32_t i = 0; i < summary.records; ++i) {
    if (at + 2 > bytes.size() || at + 2 + bytes[at + 1] > bytes.size()) {
      return std::nullopt;
    }
    const std::span<const uint8_t> value = bytes.subspan(at + 2, bytes[at + 1]);
    summary.value_bytes += static_cast<uint32_t>(value.size());
    summary.sum = std::accumulate(value.begin(), value.end(), summary.sum);
    at += 2 + value.size();
  }
  if (at != gen::load_be<uint32_t>(&bytes[4])) {
    return std::nullopt;
  }
  return summary;
}

/// What everyone makes of the bytes, and that they agree.
std::optional<Summary> check(std::span<const uint8_t> bytes) {
  const clay::Result<Summary> got = parse(bytes);
  const std::optional<Summary> want = read_plainly(bytes);
  KILN_CHECK(got.ok() == want.has_value(), "a table is %s: %s", got.ok() ? "taken" : "refused",
             got.ok() ? "it breaks the format" : clay::error_text(got.error()));
  KILN_CHECK(!got.ok() || got.value() == *want, "%u bytes of values add up to %u, not %u to %u",
             got.value().value_bytes, got.value().sum, want->value_bytes, want->sum);
  (got.ok() ? kTaken : kRefused).hit();
  sim::machine().digest(got.ok() ? got.value().sum : UINT64_MAX);
  return want;
}

void run(sim::Run& run) {
  const Product product = make(run.tape);
  kLies[static_cast<size_t>(product.lie)].hit();
  run.machine.artefact(product.blob);
  const sim::ExactBlock block(product.blob);
  const std::optional<Summary> read = check(block.bytes());
  if (product.lie == Lie::kNone) {
    KILN_CHECK(read.has_value() && *read == product.meant, "a sound table is refused");
    if (read->records == 0) kEmpty.hit();
  }
}

/// A real table in place of a generated one: all that is missing is what was meant.
void feed(sim::Feed& feed) {
  const sim::ExactBlock block(feed.bytes);
  const std::optional<Summary> read = check(block.bytes());
  feed.out = read.has_value() ? "taken: " + std::to_string(read->records) + " records with " +
                                    std::to_string(read->value_bytes) + " bytes of values\n"
                              : "refused\n";
}

const sim::Target target{{
    .name = kName,
    .purpose = "A small table: a parser, a generator that lies, a second reader.",
    .run = run,
    .feed = feed,
    .feed_takes = "a file with a table",
    .gate_inputs = 10'000,
    .longest_tape = 512,
    .tags = "example,parser",
}};

} // namespace
} // namespace kiln::targets
