#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

#include "sim/watched_pages.h"

namespace kiln::sim {
namespace {

constexpr size_t kPages = 4;
constexpr size_t kBytes = kPages * WatchedPages::kPage - 100; // the last page in part

WatchedPages pages;
int faults = 0;

void on_fault(int, siginfo_t* info, void*) {
  ++faults;
  if (!pages.open(reinterpret_cast<uintptr_t>(info->si_addr))) {
    signal(SIGSEGV, SIG_DFL);
  }
}

class WatchedPagesTest : public testing::Test {
 protected:
  WatchedPagesTest() : copy_(kBytes, 'b') {
    void* memory = mmap(nullptr, kPages * WatchedPages::kPage, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bytes_ = static_cast<volatile char*>(memory);
    std::fill_n(const_cast<char*>(bytes_), kBytes, 'b');
    pages.set(const_cast<char*>(bytes_), kBytes, copy_.data());
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before_);
    faults = 0;
  }
  ~WatchedPagesTest() override {
    sigaction(SIGSEGV, &before_, nullptr);
    munmap(const_cast<char*>(bytes_), kPages * WatchedPages::kPage);
  }

  std::vector<char> copy_;
  volatile char* bytes_ = nullptr;
  struct sigaction before_{};
};

TEST_F(WatchedPagesTest, RestoreEverythingUntilWatched) {
  bytes_[0] = 'x';
  bytes_[kBytes - 1] = 'x';
  pages.restore();
  EXPECT_EQ(bytes_[0], 'b');
  EXPECT_EQ(bytes_[kBytes - 1], 'b');
  EXPECT_EQ(faults, 0);
}

TEST_F(WatchedPagesTest, AFirstWriteFaultsOnceAndIsRestoredEveryTime) {
  ASSERT_TRUE(pages.watch());
  for (int round = 0; round < 3; ++round) {
    bytes_[WatchedPages::kPage] = 'x';
    bytes_[kBytes - 1] = 'y';
    pages.restore();
    EXPECT_EQ(bytes_[WatchedPages::kPage], 'b');
    EXPECT_EQ(bytes_[kBytes - 1], 'b');
  }
  EXPECT_EQ(faults, 2);
}

TEST_F(WatchedPagesTest, OpensNothingButAPageThatIsClosed) {
  const auto first = reinterpret_cast<uintptr_t>(bytes_);
  EXPECT_FALSE(pages.open(first)) << "nobody watches";
  ASSERT_TRUE(pages.watch());
  EXPECT_FALSE(pages.open(first - 1));
  EXPECT_FALSE(pages.open(first + kPages * WatchedPages::kPage));
  EXPECT_TRUE(pages.open(first + 5));
  EXPECT_FALSE(pages.open(first + 6)) << "it is open: such a fault is another's";
}

} // namespace
} // namespace kiln::sim
