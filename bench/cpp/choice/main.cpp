// SPDX-License-Identifier: Apache-2.0
// How much longer than necessary each rule takes, scene by scene, in virtual time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
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

/// Median over the seeds, and the worst one in brackets.
std::string cell(const std::vector<double>& ratios) {
    return with_digits(bench::median(ratios)) + " (" +
           with_digits(*std::ranges::max_element(ratios)) + ")";
}

}  // namespace

/// `bench_choice [--seeds=15] [--scene=<part of a name>]`
int main(int argc, char** argv) {
    std::size_t seeds = 15;
    std::string_view wanted;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        if (option.starts_with("--seeds=")) {
            seeds = std::stoul(std::string{option.substr(8)});
        } else if (option.starts_with("--scene=")) {
            wanted = option.substr(8);
        } else {
            std::cerr << "bench_choice: " << option
                      << " is no option; --seeds=N and --scene=TEXT are\n";
            return 2;
        }
    }
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
            std::vector<double> ratios;
            for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
                const auto work = scene.draw(seed);
                ratios.push_back(choice::ratio_to_ideal(work, *rule.make(work.hardware)));
            }
            table.back().push_back(cell(ratios));
        }
    }
    bench::print(std::cout, table);
}
