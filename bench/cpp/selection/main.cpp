// SPDX-License-Identifier: Apache-2.0
// Compares selection's speed with oneDPL's in one process; fails if a submission allocates memory.
#include <atomic>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "ratio_table.hpp"

namespace {

/// Inserts default options before the given ones: Google Benchmark uses the last value of each.
std::vector<char*> with_defaults(int argc, char** argv) {
    static std::string defaults[] = {"--benchmark_repetitions=9", "--benchmark_min_time=0.05",
                                     "--benchmark_enable_random_interleaving=true"};
    std::vector<char*> all{argv[0]};
    for (std::string& each : defaults) {
        all.push_back(each.data());
    }
    all.insert(all.end(), argv + 1, argv + argc);
    all.push_back(nullptr);
    return all;
}

/// A second thread, which only waits. In a process with a single thread, reference counts are
/// cheaper than in any program that has work for several resources.
class parked_thread {
  public:
    ~parked_thread() {
        stop_ = true;
        stop_.notify_one();
    }

  private:
    std::atomic<bool> stop_{false};
    std::jthread thread_{[this] { stop_.wait(false); }};
};

}  // namespace

int main(int argc, char** argv) {
    auto arguments = with_defaults(argc, argv);
    auto count = static_cast<int>(arguments.size()) - 1;
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) {
        return 1;
    }
    const parked_thread second_thread;
    bench::ratio_table table;
    benchmark::RunSpecifiedBenchmarks(&table);
    benchmark::Shutdown();
#ifndef POINTSMAN_BENCH_ONEDPL
    std::cout << "\nThere is no comparison: oneDPL's headers were not found at build time; "
                 "bench/cpp/CMakeLists.txt says how to get them.\n";
#endif
    for (const std::string& name : table.allocating()) {
        std::cerr << name << " allocates memory in the steady state\n";
    }
    return table.allocating().empty() ? 0 : 1;
}
