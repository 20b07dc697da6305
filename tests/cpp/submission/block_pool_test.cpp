// SPDX-License-Identifier: Apache-2.0
// Blocks return to the thread that takes them, and none is lost or used twice.
#include "pointsman/submission/detail/block_pool.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "pointsman/base/ref_counted.hpp"
#include "support/on_threads.hpp"

namespace pointsman::test {
namespace {

using detail::keeps_blocks;

// Each test uses a size that nothing else uses, so it begins with an empty pool.
TEST(BlockPool, reuses_a_returned_block) {
    using pool = detail::block_pool<1001>;
    void* const block = pool::take();
    pool::give_back(block);
    void* const again = pool::take();
    EXPECT_EQ(again, block);
    pool::give_back(again);
}

TEST(BlockPool, passes_blocks_from_the_returning_thread_to_the_taking_one) {
    using pool = detail::block_pool<1002>;
    std::set<void*> taken;
    for (int i = 0; i < 256; ++i) {
        taken.insert(pool::take());
    }
    EXPECT_EQ(taken.size(), 256U);
    std::thread{[&] {
        for (void* const block : taken) {
            pool::give_back(block);
        }
    }}.join();
    std::vector<void*> again;
    for (int i = 0; i < 256; ++i) {
        again.push_back(pool::take());
        EXPECT_TRUE(taken.contains(again.back()));
    }
    for (void* const block : again) {
        pool::give_back(block);
    }
}

TEST(BlockPool, accepts_more_blocks_than_it_keeps) {
    using pool = detail::block_pool<1003>;
    std::vector<void*> blocks(10'000);
    for (void*& block : blocks) {
        block = std::memset(pool::take(), 0, 1003);
    }
    for (void* const block : blocks) {
        pool::give_back(block);
    }
}

TEST(BlockPool, gives_no_block_to_two_threads_at_once) {
    using pool = detail::block_pool<1004>;
    std::atomic<int> shared{0};
    on_threads(7, [&](int thread) {
        std::array<std::uint8_t*, 100> blocks{};
        for (int turn = 0; turn < 200; ++turn) {
            for (auto*& block : blocks) {
                block = static_cast<std::uint8_t*>(pool::take());
                *block = static_cast<std::uint8_t>(thread);
            }
            for (auto* const block : blocks) {
                shared += *block != thread;
                pool::give_back(block);
            }
        }
    });
    EXPECT_EQ(shared, 0);
}

struct object final : detail::ref_counted, detail::pooled {
    int value = 7;
};
struct alignas(256) aligned_object final : detail::ref_counted, detail::pooled {};

TEST(BlockPool, holds_objects) {
    const void* first = nullptr;
    {
        const auto made = detail::make_ref<object>();
        EXPECT_EQ(made->value, 7);
        first = made.get();
    }
    const auto again = detail::make_ref<object>();
    if (keeps_blocks) {
        EXPECT_EQ(again.get(), first);
    }
}

TEST(BlockPool, keeps_the_alignment_of_over_aligned_objects) {
    const auto made = detail::make_ref<aligned_object>();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made.get()) % 256, 0U);
}

/// Created before the thread-local objects of the pool, and therefore destroyed after them.
struct late {
    void* block = nullptr;
    ~late() { detail::block_pool<1005>::give_back(block); }
};

TEST(BlockPool, accepts_blocks_while_a_thread_is_ending) {
    std::thread{[] {
        static thread_local late last;
        last.block = detail::block_pool<1005>::take();
        detail::block_pool<1005>::give_back(detail::block_pool<1005>::take());
    }}.join();
}

}  // namespace
}  // namespace pointsman::test
