// SPDX-License-Identifier: Apache-2.0
// Prints how much longer than the lower bound each provided policy takes for shapes of workload.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "markdown.hpp"
#include "median.hpp"
#include "pointsman/policy/driven_rule.hpp"
#include "pointsman/policy/provided_policies.hpp"
#include "pointsman/replay/bound.hpp"
#include "pointsman/replay/replay.hpp"
#include "shape.hpp"

namespace {

namespace pm = pointsman;
namespace replay = pointsman::replay;
using bench::policies::scenario;

/// Returns the makespan under a policy with the settings that its user would choose.
template <class Rule>
double makespan_under(const scenario& of, std::uint64_t seed) {
    const auto run = [&of](auto... settings) {
        pm::driven_rule<Rule> rule{replay::domains_of(of.places), settings...};
        return replay::run(of.work, of.places, rule, replay::placements::dropped).makespan;
    };
    if constexpr (std::is_same_v<Rule, pm::random_rule>) {
        return run(seed);
    } else if constexpr (std::is_same_v<Rule, pm::weighted_round_robin_rule>) {
        return run(of.speeds);
    } else if constexpr (std::is_same_v<Rule, pm::token_rule>) {
        return run(std::uint32_t{2});
    } else {
        return run();
    }
}

template <template <class...> class... Policies>
std::vector<double> makespans(const scenario& of, std::uint64_t seed,
                              pm::policy_list<Policies...>) {
    return {makespan_under<typename Policies<int>::rule_type>(of, seed)...};
}

template <template <class...> class... Policies>
std::vector<std::string> names(pm::policy_list<Policies...>) {
    return {Policies<int>::rule_type::name...};
}

std::string with_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.2f" : "%.0f", value);
    return text;
}

/// Returns a row: the median over the seeds of the ratio of each policy's makespan to the bound.
std::vector<std::string> row_of(const bench::policies::shape& shape, std::size_t places,
                                std::size_t tasks, std::size_t seeds) {
    std::vector<std::vector<double>> ratios(names(pm::provided_policies{}).size());
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const scenario of = shape.draw(places, tasks, seed);
        const double bound = replay::makespan_bound(of.work, of.places);
        const auto found = makespans(of, seed, pm::provided_policies{});
        for (std::size_t i = 0; i < found.size(); ++i) {
            ratios[i].push_back(found[i] / bound);
        }
    }
    std::vector<std::string> row{shape.name + ", " + std::to_string(places) + " resources"};
    for (const auto& each : ratios) {
        row.push_back(with_digits(bench::median(each)));
    }
    return row;
}

}  // namespace

/// `bench_policies [--seeds=3] [--tasks=100]`: `tasks` for each resource, and 20,000 at least unless fewer than 100
/// are asked for.
int main(int argc, char** argv) {
    std::size_t seeds = 3;
    std::size_t tasks_each = 100;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        const std::size_t equals = option.find('=');
        const int value =
            equals == std::string_view::npos ? 0 : std::atoi(option.data() + equals + 1);
        if (option.starts_with("--seeds=") && value > 0) {
            seeds = static_cast<std::size_t>(value);
        } else if (option.starts_with("--tasks=") && value > 0) {
            tasks_each = static_cast<std::size_t>(value);
        } else {
            std::cerr << "bench_policies: " << option
                      << " is no option; --seeds=N and --tasks=N (1 or more) are\n";
            return 2;
        }
    }
    bench::markdown_lines table{
        {"makespan / bound, median of " + std::to_string(seeds) + " seeds"}};
    std::ranges::copy(names(pm::provided_policies{}), std::back_inserter(table.front()));
    for (const auto& shape : bench::policies::all_shapes()) {
        for (const std::size_t places : {4U, 32U, 250U, 1'000U}) {
            const std::size_t least = tasks_each < 100 ? 1 : 20'000;
            table.push_back(row_of(shape, places, std::max(least, tasks_each * places), seeds));
        }
    }
    bench::print(std::cout, table);
}
