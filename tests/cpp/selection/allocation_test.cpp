// SPDX-License-Identifier: Apache-2.0
// Promise 19: submissions do not allocate. Counts the calls of this program's own operators new.
// link: -pthread
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "support/every_policy.hpp"
#include "support/on_threads.hpp"

namespace {

std::atomic<long> allocations{0};

void* allocate(std::size_t size, std::size_t alignment) {
    ++allocations;
    const std::size_t whole = (size + alignment) / alignment * alignment;
    if (void* const memory = std::aligned_alloc(alignment, whole)) {
        return memory;
    }
    throw std::bad_alloc{};
}

// Not inlined: the compiler would warn that this does not match `new`.
[[gnu::noinline]] void deallocate(void* memory) noexcept { std::free(memory); }

}  // namespace

// The other forms of new and delete call these.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return ::operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t) noexcept { deallocate(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { deallocate(memory); }

namespace pointsman::test {
namespace {

long allocations_of(int threads, auto submit_one) {
    std::atomic<long> counted{0};
    std::barrier warm{threads};
    on_threads(threads, [&](int) {
        for (int i = 0; i < 1'000; ++i) {
            submit_one();
        }
        warm.arrive_and_wait();
        const long before = allocations;
        warm.arrive_and_wait();
        for (int i = 0; i < 20'000; ++i) {  // more than enough to include a timed one
            submit_one();
        }
        warm.arrive_and_wait();
        counted += allocations - before;
        warm.arrive_and_wait();
    });
    return counted;
}

struct Allocation : ::testing::TestWithParam<int> {};

TEST_P(Allocation, is_noticed_by_this_test) {
    EXPECT_GT(allocations_of(GetParam(), [] { ::operator delete(::operator new(1)); }), 0);
    EXPECT_GT(allocations_of(GetParam(), [] { std::vector<double>(2).push_back(1); }), 0);
}

// 19
TEST_P(Allocation, is_not_needed_by_a_warm_submit_under_any_policy) {
    for (const std::size_t size : {std::size_t{4}, std::size_t{64}}) {
        SCOPED_TRACE(std::to_string(size) + " resources");
        std::vector<int> resources(size);
        std::iota(resources.begin(), resources.end(), 0);
        on_every_policy(resources, [](auto p) {
            EXPECT_EQ(allocations_of(GetParam(),
                                     [&] {
                                         static_cast<void>(p.submit([](int r) { return r; }));
                                         p.submit([](int, int) {}, 1000);
                                     }),
                      0);
        });
    }
}

INSTANTIATE_TEST_SUITE_P(, Allocation, ::testing::Values(1, 2),
                         [](const auto& p) { return std::to_string(p.param) + "_threads"; });

}  // namespace
}  // namespace pointsman::test
