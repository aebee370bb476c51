#include <gtest/gtest.h>
#include <string>

#include "kernel-src/boot/env_block.h"

namespace clay::test {
namespace {

constexpr const char* kFirstLine = "# GRUB Environment Block\n";

/// A block as a boot loader writes it.
struct Block {
  explicit Block(const std::string& lines, size_t size = EnvBlock::kBytes)
      : text(kFirstLine + lines) {
    text.resize(size, '#');
  }
  MutableBytes bytes() { return {reinterpret_cast<uint8_t*>(text.data()), text.size()}; }
  EnvBlock open() { return EnvBlock::open(bytes()).value(); }
  bool begins_with(const std::string& lines) const { return text.starts_with(kFirstLine + lines); }

  std::string text;
};

std::string get(const EnvBlock& env, StringView name) {
  char out[64];
  const Result<size_t> size = env.get(name, Span<char>(out));
  return size.ok() ? std::string(out, size.value()) : error_text(size.error());
}

TEST(EnvBlock, ReadsWhatALoaderWrote) {
  Block block("saved_entry=1>0\n# a comment=no\nkernel=a\\\\b\\\nc\n");
  const EnvBlock env = block.open();
  EXPECT_EQ(get(env, "saved_entry"), "1>0");
  EXPECT_EQ(get(env, "kernel"), "a\\b\nc");
  EXPECT_EQ(get(env, "# a comment"), error_text(Error::kNotFound));
}

TEST(EnvBlock, AVariableKeepsItsPlace) {
  Block block("a=1\nb=2\na=3\nc=4\n");
  EnvBlock env = block.open();
  ASSERT_TRUE(env.set("a", "long value").ok());
  EXPECT_TRUE(block.begins_with("a=long value\nb=2\nc=4\n###"));
  ASSERT_TRUE(env.unset("b").ok());
  EXPECT_TRUE(block.begins_with("a=long value\nc=4\n###"));
  EXPECT_EQ(block.text.size(), EnvBlock::kBytes);
}

TEST(EnvBlock, WhatDoesNotFitChangesNothing) {
  Block block("a=1\n", 25 + 10);
  EnvBlock env = block.open();
  const std::string before = block.text;
  EXPECT_TRUE(env.set("b", "12345").failed_with(Error::kNoSpace));
  EXPECT_TRUE(env.set("x=y", "1").failed_with(Error::kInvalid));
  EXPECT_EQ(block.text, before);
  EXPECT_TRUE(env.set("b", "123").ok());
  EXPECT_EQ(env.room(), 0u);
}

TEST(EnvBlock, RefusesWhatIsNoBlock) {
  Block open_line("a=1");
  EXPECT_TRUE(EnvBlock::open(open_line.bytes()).failed_with(Error::kCorrupt));
  Block escaped_end("a=1\\\n");
  EXPECT_TRUE(EnvBlock::open(escaped_end.bytes()).failed_with(Error::kCorrupt));
  Block other("");
  other.text[2] = 'g';
  EXPECT_TRUE(EnvBlock::open(other.bytes()).failed_with(Error::kCorrupt));
}

} // namespace
} // namespace clay::test
