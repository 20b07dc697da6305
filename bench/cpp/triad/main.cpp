// SPDX-License-Identifier: Apache-2.0
// The triad a[i] += b[i] + s * c[i], with or without transfers, on each of the machine's resources
// and under auto-tune: shows which resource is best at which size, and the cost of choosing.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "markdown.hpp"
#include "median.hpp"
#include "pointsman/pointsman.hpp"
#include "triad.hpp"

namespace {

using bench::median;
using milliseconds = std::chrono::duration<double, std::milli>;

struct options {
    int smallest = 10;
    int largest = 26;
    int rounds = 21;
    int resident = 0;
};

/// The measurements for one size.
struct row {
    std::vector<std::vector<milliseconds>> fixed;  // by resource and round
    std::vector<milliseconds> tuned;               // by round
    milliseconds warm_up{};
    int warm_up_runs = 0;
    std::vector<int> chosen;  // how often each resource was chosen after warm-up
};

milliseconds sum(const std::vector<milliseconds>& times) {
    milliseconds all{};
    for (const milliseconds each : times) {
        all += each;
    }
    return all;
}

template <class F>
milliseconds time_of(F&& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::steady_clock::now() - start;
}

/// Each round runs every resource once and auto-tune once, in random order, so that drift of the
/// machine and the caches' contents affect all alike.
row measure(bench::triad& work, const std::vector<pointsman::any_resource>& resources, int rounds,
            pointsman::auto_tune_policy<pointsman::any_resource>& tuned) {
    row found;
    found.fixed.resize(resources.size());
    found.chosen.resize(resources.size());
    std::vector<pointsman::fixed_resource_policy<pointsman::any_resource>> fixed;
    for (std::size_t i = 0; i < resources.size(); ++i) {
        fixed.emplace_back(resources, i);
    }
    const pointsman::any_resource* used = nullptr;
    const auto task = [&](const pointsman::any_resource& where, std::size_t) {
        used = &where;
        return work.run(where);
    };
    const auto submit = [&](auto& policy) {
        return time_of([&] { policy.submit_and_wait(task, work.size()); });
    };
    for (std::size_t i = 0; i < resources.size(); ++i) {
        work.check(resources[i]);  // the first run, including the driver's warm-up
    }
    found.warm_up_runs = static_cast<int>(2 * resources.size());
    for (int i = 0; i < found.warm_up_runs; ++i) {
        found.warm_up += submit(tuned);
    }
    std::mt19937 random{1};
    std::vector<std::size_t> order(resources.size() + 1);  // the last one stands for auto-tune
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int i = 0; i < rounds; ++i) {
        std::ranges::shuffle(order, random);
        for (const std::size_t r : order) {
            if (r < resources.size()) {
                found.fixed[r].push_back(submit(fixed[r]));
            } else {
                found.tuned.push_back(submit(tuned));
                ++found.chosen[static_cast<std::size_t>(std::ranges::find(resources, *used) -
                                                        resources.begin())];
            }
        }
    }
    return found;
}

std::size_t best_of(const row& found) {
    std::size_t best = 0;
    for (std::size_t r = 1; r < found.fixed.size(); ++r) {
        best = median(found.fixed[r]) < median(found.fixed[best]) ? r : best;
    }
    return best;
}

std::string text(double value, int digits) {
    std::string out(32, '\0');
    const auto end =
        std::to_chars(out.data(), out.data() + out.size(), value, std::chars_format::fixed, digits);
    out.resize(static_cast<std::size_t>(end.ptr - out.data()));
    return out;
}

/// Reads `--name=number`. Returns false if the argument does not have this form.
bool read(std::string_view argument, std::string_view name, int& value) {
    if (!argument.starts_with(name)) {
        return false;
    }
    const std::string_view digits = argument.substr(name.size());
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return end.ec == std::errc{} && end.ptr == digits.data() + digits.size();
}

bool read(int count, char** arguments, options& given) {
    for (int i = 1; i < count; ++i) {
        if (!read(arguments[i], "--smallest=", given.smallest) &&
            !read(arguments[i], "--largest=", given.largest) &&
            !read(arguments[i], "--rounds=", given.rounds) &&
            !read(arguments[i], "--resident=", given.resident)) {
            std::cerr << "unknown argument " << arguments[i] << "; known are --smallest=N and "
                      << "--largest=N, binary logarithms of the elements, --rounds=N, and "
                      << "--resident=1 for data that every resource already has\n";
            return false;
        }
    }
    if (given.smallest < 1 || given.largest < given.smallest || given.largest > 30 ||
        given.rounds < 1) {
        std::cerr << "give 1 <= --smallest <= --largest <= 30 and --rounds >= 1\n";
        return false;
    }
    return true;
}

}  // namespace

int main(int count, char** arguments) {
    options given;
    if (!read(count, arguments, given)) {
        return 2;
    }
    const auto resources = bench::triad_resources();
    // One policy for all sizes, which inform each other.
    pointsman::auto_tune_policy<pointsman::any_resource> tuned{resources};
    const auto where = given.resident != 0 ? bench::placement::resident : bench::placement::host;
    bench::markdown_lines table{{"elements"}};
    for (const auto& each : resources) {
        table.front().push_back(bench::name_of(each) + " ms");
    }
    for (const char* heading :
         {"auto-tune ms", "chose", "times", "of", "/ best", "first runs", "lost in them ms"}) {
        table.front().emplace_back(heading);
    }
    milliseconds all_tuned{};
    milliseconds all_best{};
    milliseconds all_lost{};
    for (int exponent = given.smallest; exponent <= given.largest; ++exponent) {
        bench::triad work{std::size_t{1} << static_cast<unsigned>(exponent), where, resources};
        const row found = measure(work, resources, given.rounds, tuned);
        const milliseconds best = sum(found.fixed[best_of(found)]);
        const auto chosen = std::ranges::max_element(found.chosen) - found.chosen.begin();
        all_tuned += sum(found.tuned);
        all_best += best;
        const milliseconds lost =
            found.warm_up - found.warm_up_runs * median(found.fixed[best_of(found)]);
        all_lost += lost;
        auto& line = table.emplace_back();
        line.push_back("2^" + std::to_string(exponent));
        for (const auto& times : found.fixed) {
            line.push_back(text(median(times).count(), 4));
        }
        line.push_back(text(median(found.tuned).count(), 4));
        line.push_back(bench::name_of(resources[static_cast<std::size_t>(chosen)]));
        line.push_back(std::to_string(found.chosen[static_cast<std::size_t>(chosen)]));
        line.push_back(std::to_string(given.rounds));
        line.push_back(text(sum(found.tuned) / best, 3));
        line.push_back(std::to_string(found.warm_up_runs));
        line.push_back(text(lost.count(), 3));
    }
    bench::print(std::cout, table);
    std::cout << "\nAll sizes after the first runs: auto-tune " << text(all_tuned.count(), 1)
              << " ms, always the best " << text(all_best.count(), 1) << " ms, ratio "
              << text(all_tuned / all_best, 3) << "; lost in the first runs "
              << text(all_lost.count(), 1) << " ms.\n";
    return 0;
}
