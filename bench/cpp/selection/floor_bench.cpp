// SPDX-License-Identifier: Apache-2.0
// Lower bounds: the cost of the basic operations (call, atomic addition, mutex, ...) that a
// submission may need.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "measure.hpp"

namespace {

constexpr std::size_t cache_line_pair = 128;

template <class Step>
bool add(const std::string& name, Step step) {
    benchmark::RegisterBenchmark((name + '/' + bench::floor_backend).c_str(),
                                 [=](benchmark::State& state) { bench::measure(state, step); })
        ->Threads(1)
        ->Threads(2)
        ->UseRealTime();
    return true;
}

alignas(cache_line_pair) std::atomic<int> counter{0};
alignas(cache_line_pair) std::mutex shared_mutex;
alignas(cache_line_pair) const std::shared_ptr<int> shared_value = std::make_shared<int>(0);

const bool added[] = {
    add("direct_call", [] { return bench::work(0); }),
    add("atomic_fetch_add", [] { return counter.fetch_add(1, std::memory_order_relaxed); }),
    add("clock_read", [] { return std::chrono::steady_clock::now(); }),
    add("mutex",
        [] {
            const std::lock_guard lock{shared_mutex};
            return 0;
        }),
    add("shared_ptr_copy", [] { return std::shared_ptr<int>{shared_value}; }),
};

}  // namespace
