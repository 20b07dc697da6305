// SPDX-License-Identifier: Apache-2.0
// Prints how much longer than the ideal time each rule takes in each scene of simulated work.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "chooser.hpp"
#include "markdown.hpp"
#include "median.hpp"
#include "scene.hpp"

namespace {

namespace choice = bench::choice;

std::string with_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}

/// Returns the time that a rule takes for a scene, divided by the ideal time, for each seed from 1.
std::vector<double> ratios_of(const choice::rule& rule, const choice::scene& scene,
                              std::size_t seeds) {
    std::vector<double> ratios;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const auto work = scene.draw(seed);
        ratios.push_back(choice::ratio_to_ideal(work, *rule.make(work.hardware)));
    }
    return ratios;
}

/// Returns the median over the seeds, with the largest ratio in brackets.
std::string cell(const std::vector<double>& ratios) {
    return with_digits(bench::median(ratios)) + " (" +
           with_digits(*std::ranges::max_element(ratios)) + ")";
}

void print_table(std::size_t seeds, std::string_view wanted) {
    bench::markdown_lines table{
        {"time / ideal, median (worst) of " + std::to_string(seeds) + " seeds"}};
    for (const auto& rule : choice::all_rules()) {
        table.front().push_back(rule.name);
    }
    for (const auto& scene : choice::all_scenes()) {
        if (scene.name.find(wanted) == std::string::npos) {
            continue;
        }
        table.push_back({scene.name});
        for (const auto& rule : choice::all_rules()) {
            table.back().push_back(cell(ratios_of(rule, scene, seeds)));
        }
    }
    bench::print(std::cout, table);
}

/// Returns true if each rule stays within its bounds.
bool is_within_bounds() {
    constexpr std::size_t seeds = 15;
    bool is_within = true;
    for (const auto& scene : choice::all_scenes()) {
        for (const auto& rule : choice::all_rules()) {
            const auto bound = scene.bounds.find(rule.name);
            if (bound == scene.bounds.end() || bound->second == 0) {
                continue;
            }
            const double ratio = bench::median(ratios_of(rule, scene, seeds));
            if (ratio > bound->second) {
                std::cerr << "bench_choice: " << scene.name << ": " << rule.name << " takes "
                          << with_digits(ratio) << " of the ideal time, more than "
                          << with_digits(bound->second) << '\n';
                is_within = false;
            }
        }
    }
    return is_within;
}

}  // namespace

/// `bench_choice [--seeds=15] [--scene=<text in the name>]` prints a table; `bench_choice --check` exits with
/// 1 if a rule exceeds a bound.
int main(int argc, char** argv) {
    std::size_t seeds = 15;
    std::string_view wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        if (option == "--check") {
            return is_within_bounds() ? 0 : 1;
        }
        if (option.starts_with("--seeds=") && std::atoi(option.data() + 8) > 0) {
            seeds = static_cast<std::size_t>(std::atoi(option.data() + 8));
        } else if (option.starts_with("--scene=")) {
            wanted = option.substr(8);
        } else {
            std::cerr << "bench_choice: " << option
                      << " is no option; --seeds=N (1 or more), --scene=TEXT and --check are\n";
            return 2;
        }
    }
    print_table(seeds, wanted);
}
