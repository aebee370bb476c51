#pragma once
// Checksums of disks, tables and packets. None keeps a secret or withstands a forger.
//
// Those with a running form take what they returned for the bytes before; start with the default.

#include <stdint.h>

#include "kernel-src/lib/span.h"

namespace clay {

/// CRC-32 of IEEE 802.3, gzip, GPT: polynomial 0x04C11DB7 reflected, inverted before and after.
uint32_t crc32(Bytes bytes, uint32_t before = 0);

/// CRC-32C (Castagnoli) of iSCSI (RFC 3720), SCTP, ext4: polynomial 0x1EDC6F41, as above.
uint32_t crc32c(Bytes bytes, uint32_t before = 0);

/// CRC-16 of ext4's group descriptors ("ARC"): polynomial 0x8005 reflected, nothing inverted; ext4
/// starts with 0xFFFF.
uint16_t crc16(Bytes bytes, uint16_t before = 0);

/// Adler-32 (RFC 1950, section 8.2).
uint32_t adler32(Bytes bytes, uint32_t before = 1);

/// Fletcher-16 and Fletcher-32 ("An Arithmetic Checksum for Serial Transmissions", 1982): sums
/// modulo 255 over bytes, modulo 65535 over little-endian 16-bit words (an odd byte at the end
/// counts as a word with high byte 0). The second sum is the high half.
uint16_t fletcher16(Bytes bytes);
uint32_t fletcher32(Bytes bytes);

/// The sum of every byte modulo 256; ACPI and BIOS tables are sound when it is 0.
uint8_t byte_sum(Bytes bytes);

/// The Internet checksum (RFC 1071): the one's complement of the one's complement sum of big-endian
/// 16-bit words. Pieces of any length may be added one after the other.
class InternetChecksum {
 public:
  void add(Bytes bytes);
  /// Numbers of a pseudo header; only at an even distance from the start.
  void add_be16(uint16_t value);
  void add_be32(uint32_t value);

  /// What goes into the packet (as a number: store it big-endian). Over a packet that holds its
  /// right checksum, 0.
  uint16_t value() const;

 private:
  uint64_t sum_ = 0;
  bool odd_ = false; ///< half a word has been added
};

/// Of one piece.
uint16_t internet_checksum(Bytes bytes);

} // namespace clay
