// Heap and object pools: misuse, and borders byte by byte.

#include "tests/kernel/mm/mm_test.h"

namespace kiln::test {
namespace {

TEST(Heap, ABlockFreedTwiceIsABug) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        clay::Heap heap(memory.cache);
        void* block = heap.allocate(40);
        heap.allocate(40);
        heap.free(block);
        heap.free(block);
      },
      sim::Rule::kPanic);
}

TEST(Heap, AnAddressInsideABlockIsNoBlock) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        clay::Heap heap(memory.cache);
        heap.free(static_cast<uint8_t*>(heap.allocate(3 * 4096)) + 4096);
      },
      sim::Rule::kPanic);
}

TEST(Heap, AnObjectOfAPoolIsNoBlock) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        clay::Heap heap(memory.cache);
        clay::ObjectPool pool(memory.cache, {"objects", 48, 16});
        heap.free(pool.allocate());
      },
      sim::Rule::kPanic);
}

/// Frames whose numbers say another alignment than their addresses.
TEST(Heap, AlignedBlocksNeedAnAlignedMap) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        sim::ExactBlock frames(8 * sizeof(clay::PageFrame), 64);
        clay::PageAllocator pages({memory.first + 1,
                                   {reinterpret_cast<clay::PageFrame*>(frames.bytes().data()), 8},
                                   reinterpret_cast<uint8_t*>(memory.first * clay::kPageBytes)});
        clay::PageCache cache(pages);
        clay::Heap heap(cache);
        heap.free(heap.allocate(4096, 8192));
      },
      sim::Rule::kPanic);
}

TEST(Heap, ALeakIsFoundWhenItGoes) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        clay::Heap heap(memory.cache);
        heap.allocate(10'000);
      },
      sim::Rule::kPanic);
}

TEST(Heap, ABlockEndsWithItsLastByte) {
  expect_bad_access([](sim::Run&) {
    SmallMemory memory;
    clay::Heap heap(memory.cache);
    auto* block = static_cast<uint8_t*>(heap.allocate(41));
    block[40] = 1;
    block[41] = 1;
  });
}

TEST(Heap, ABlockThatWasFreedIsNobodys) {
  expect_bad_access([](sim::Run&) {
    SmallMemory memory;
    clay::Heap heap(memory.cache);
    auto* block = static_cast<uint8_t*>(heap.allocate(64));
    heap.allocate(64);
    heap.free(block);
    block[63] = 1;
  });
}

TEST(Heap, ResizingMovesTheBorder) {
  expect_bad_access([](sim::Run&) {
    SmallMemory memory;
    clay::Heap heap(memory.cache);
    auto* block = static_cast<uint8_t*>(heap.allocate(41));
    KILN_CHECK(heap.size_of(block) == 48 && heap.try_resize(block, 41, 48), "no room");
    block[47] = 1;
    KILN_CHECK(heap.try_resize(block, 48, 9) && !heap.try_resize(block, 9, 49), "room");
    block[8] = 1;
    block[9] = 1;
  });
}

TEST(ObjectPool, AnObjectThatWasFreedIsNobodys) {
  expect_bad_access([](sim::Run&) {
    SmallMemory memory;
    clay::ObjectPool pool(memory.cache, {"objects", 20, 4});
    pool.allocate();
    auto* object = static_cast<uint8_t*>(pool.allocate());
    pool.free(object);
    object[0] = 1;
  });
}

TEST(ObjectPool, ReportsALeakWhenItGoes) {
  expect_breaks(
      [](sim::Run&) {
        SmallMemory memory;
        clay::ObjectPool pool(memory.cache, {"objects", 20, 4});
        pool.allocate();
      },
      sim::Rule::kPanic);
}

} // namespace
} // namespace kiln::test
