// SPDX-License-Identifier: Apache-2.0
// The scenes: what they draw, and their ideals.
#include "scene.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace bench::choice {
namespace {

using random_engine = std::mt19937_64;
constexpr time_ns microsecond = 1e3;

/// Noise with mean 1.
double noise(random_engine& random, double sigma) {
    return std::exp(std::normal_distribution{}(random)*sigma - sigma * sigma / 2);
}
double between(random_engine& random, double low, double high) {
    return std::exp(std::uniform_real_distribution{std::log(low), std::log(high)}(random));
}

/// One kind of task whose mean on each server may change with the number of the task.
using mean_at = std::function<time_ns(std::size_t server, std::size_t number)>;
workload one_at_a_time(std::size_t servers, std::size_t count, double sigma, random_engine& random,
                       const mean_at& mean) {
    workload made{.hardware = separate_servers(servers)};
    for (std::size_t number = 0; number < count; ++number) {
        job next{.key = {.callable = 1, .sizes = 0}};
        std::size_t best = 0;
        for (std::size_t i = 0; i < servers; ++i) {
            best = mean(i, number) < mean(best, number) ? i : best;
            next.costs.push_back(mean(i, number) * noise(random, sigma));
        }
        made.ideal += next.costs[best];
        made.jobs.push_back(std::move(next));
    }
    return made;
}

/// 20000 as "20,000".
std::string with_separator(std::size_t count) {
    char text[32];
    if (count < 1'000) {
        std::snprintf(text, sizeof text, "%zu", count);
    } else {
        std::snprintf(text, sizeof text, "%zu,%03zu", count / 1'000, count % 1'000);
    }
    return text;
}

std::vector<time_ns> unlike_means(std::size_t servers, random_engine& random) {
    std::vector<time_ns> means(servers);
    std::ranges::generate(means,
                          [&] { return between(random, 100 * microsecond, 400 * microsecond); });
    return means;
}

scene steady(std::size_t servers, std::size_t count, double sigma) {
    return {"one at a time, k = " + std::to_string(servers) + ", sigma " +
                std::to_string(sigma).substr(0, 3) + ", " + with_separator(count) + " tasks",
            [=](std::uint64_t seed) {
                random_engine random{seed};
                const auto means = unlike_means(servers, random);
                return one_at_a_time(servers, count, sigma, random,
                                     [&](std::size_t i, std::size_t) { return means[i]; });
            }};
}

/// 10,000 tasks on four servers of 100, 130, 170 and 220 us, of which one changes.
scene drifting(const std::string& name, double sigma,
               const std::function<double(std::size_t server, std::size_t number)>& factor) {
    return {name + ", sigma " + std::to_string(sigma).substr(0, 3), [=](std::uint64_t seed) {
                random_engine random{seed};
                constexpr time_ns means[] = {100e3, 130e3, 170e3, 220e3};
                return one_at_a_time(4, 10'000, sigma, random, [&](std::size_t i, std::size_t n) {
                    return means[i] * factor(i, n);
                });
            }};
}

scene heavy_tail() {
    return {"two of 80 us with 10 % of 1 ms, one of 100 us, 2,000 tasks", [](std::uint64_t seed) {
                random_engine random{seed};
                workload made{.hardware = separate_servers(3)};
                std::bernoulli_distribution is_slow{0.1};
                for (std::size_t number = 0; number < 2'000; ++number) {
                    job next{.key = {.callable = 1, .sizes = 0}};
                    for (std::size_t i = 0; i < 2; ++i) {
                        next.costs.push_back((is_slow(random) ? 1'000 : 80) * microsecond *
                                             noise(random, 0.1));
                    }
                    next.costs.push_back(100 * microsecond * noise(random, 0.1));
                    made.ideal += next.costs[2];
                    made.jobs.push_back(std::move(next));
                }
                return made;
            }};
}

/// Sizes of 2^8 to 2^22; each kind has an overhead and a rate on each server.
scene sizes(std::size_t kinds, std::size_t servers) {
    return {"sizes over 4 decades, " + std::to_string(kinds) + (kinds == 1 ? " kind" : " kinds") +
                ", k = " + std::to_string(servers) + ", 2,000 tasks",
            [=](std::uint64_t seed) {
                random_engine random{seed};
                struct line {
                    time_ns overhead;
                    time_ns each;
                };
                std::vector<line> overheads_and_rates(kinds * servers);
                for (line& each : overheads_and_rates) {
                    each = {between(random, microsecond, 100 * microsecond),
                            between(random, 0.3, 10)};
                }
                workload made{.hardware = separate_servers(servers)};
                for (std::size_t number = 0; number < 2'000; ++number) {
                    const std::size_t kind = random() % kinds;
                    const double size = between(random, 0x1p8, 0x1p22);
                    job next{.key = {.callable = kind + 1,
                                     .sizes = static_cast<std::uint64_t>(
                                         std::bit_width(static_cast<std::uint64_t>(size)))}};
                    std::size_t best = 0;
                    time_ns least = 0;
                    for (std::size_t i = 0; i < servers; ++i) {
                        const line& of = overheads_and_rates[kind * servers + i];
                        const time_ns mean = of.overhead + size * of.each;
                        if (i == 0 || mean < least) {
                            best = i;
                            least = mean;
                        }
                        next.costs.push_back(mean * noise(random, 0.1));
                    }
                    made.ideal += next.costs[best];
                    made.jobs.push_back(std::move(next));
                }
                return made;
            }};
}

/// Costs over 4 decades on servers of speeds 1, 2, 4, 8, and perhaps a GPU of 16 that 64 tasks share.
struct backlog_options {
    std::string name;
    std::size_t outstanding;
    bool with_gpu = false;
    bool is_one_key = false;
    std::size_t passes = 1;
};
scene backlog(const backlog_options& options) {
    return {
        options.name, [=](std::uint64_t seed) {
            random_engine random{seed};
            std::vector<double> speeds{1, 2, 4, 8};
            workload made{.hardware = separate_servers(4)};
            if (options.with_gpu) {
                speeds.push_back(16);
                made.hardware.servers.push_back({.domain = 4, .slots = 64});
                made.hardware.capacity.push_back(1);
            }
            double work = 0;
            for (std::size_t number = 0; number < 2'000; ++number) {
                const time_ns cost = between(random, microsecond, 1e4 * microsecond);
                const auto size = std::bit_width(static_cast<std::uint64_t>(cost));
                job next{
                    .key = {.callable = 1,
                            .sizes = options.is_one_key ? 0 : static_cast<std::uint64_t>(size)}};
                for (const double speed : speeds) {
                    next.costs.push_back(8 * cost / speed * noise(random, 0.1));
                }
                work += 8 * cost;
                made.jobs.push_back(std::move(next));
            }
            made.outstanding = options.outstanding;
            made.passes = options.passes;
            // As many servers as there are tasks for, the fastest.
            std::ranges::sort(speeds, std::greater{});
            const auto used = std::min(options.outstanding, speeds.size());
            made.ideal = work / std::accumulate(speeds.begin(),
                                                speeds.begin() + static_cast<long>(used), 0.0);
            return made;
        }};
}

/// The work of `first` once more, by a process that has what the one before kept after some passes.
scene in_second_process(const scene& first, std::size_t passes_before) {
    return {"second process after " + std::to_string(passes_before) +
                (passes_before == 1 ? " pass: " : " passes: ") + first.name,
            [draw = first.draw, passes_before](std::uint64_t seed) {
                auto made = draw(seed);
                made.passes = passes_before + 1;
                made.restarts = true;
                return made;
            }};
}

/// Equal tasks, of which 64 are outstanding, where always the best server is wanted.
scene always_the_best() {
    return {"equal tasks, k = 8, W = 64, against always the best", [](std::uint64_t seed) {
                random_engine random{seed};
                const auto means = unlike_means(8, random);
                auto made = one_at_a_time(8, 2'000, 0.1, random,
                                          [&](std::size_t i, std::size_t) { return means[i]; });
                made.outstanding = 64;
                return made;
            }};
}

/// An arena of two threads and a device that uses both of the same cores for each task.
struct shared_options {
    std::string name;
    std::size_t count;
    bool are_kinds_mixed = false;
    bool with_gpu = false;
};
scene shared_cores(const shared_options& options) {
    return {
        options.name, [=](std::uint64_t seed) {
            random_engine random{seed};
            workload made{.hardware = {.servers = {{.domain = 0, .slots = 2, .threads = 1},
                                                   {.domain = 0, .slots = 1, .threads = 2}},
                                       .capacity = {2}}};
            if (options.with_gpu) {
                made.hardware.servers.push_back({.domain = 1});
                made.hardware.capacity.push_back(1);
            }
            // Time of the cores that each job takes on the cheaper resource, and on the GPU.
            std::vector<std::pair<time_ns, time_ns>> least;
            for (std::size_t number = 0; number < options.count; ++number) {
                const std::size_t kind = options.are_kinds_mixed ? number % 2 : 0;
                const time_ns cost = 1'000 * microsecond * static_cast<double>(1 + kind);
                const double on_device = kind == 0 ? 1 / 0.41 : 0.5;
                job next{.key = {.callable = 1 + kind, .sizes = 0}};
                next.costs = {2 * cost * noise(random, 0.1), cost * on_device * noise(random, 0.1)};
                time_ns on_gpu = 0;
                if (options.with_gpu) {
                    on_gpu = cost * (kind == 0 ? 0.8 : 0.2) * noise(random, 0.1);
                    next.costs.push_back(on_gpu);
                }
                least.emplace_back(std::min(next.costs[0] / 2, next.costs[1]), on_gpu);
                made.jobs.push_back(std::move(next));
            }
            made.outstanding = 8;
            // The cores take the jobs of the kind that suits them best, and as many as end when the GPU does.
            // Which job the noise makes cheaper where, nobody can know before.
            time_ns cores = 0;
            time_ns gpu =
                std::accumulate(least.begin(), least.end(), time_ns{},
                                [](time_ns sum, const auto& each) { return sum + each.second; });
            for (const auto& [on_cores, on_gpu] : least) {
                if (options.with_gpu && cores + on_cores > gpu - on_gpu) {
                    break;
                }
                cores += on_cores;
                gpu -= on_gpu;
            }
            made.ideal = std::max(cores, gpu);
            return made;
        }};
}

/// A run that takes 400 times as long, at one of the first 200 positions; it is not counted.
scene spike() {
    return {"a run of 400 x at each of the first 200 positions, 2,000 tasks",
            [](std::uint64_t seed) {
                random_engine random{seed};
                auto made = one_at_a_time(4, 2'000, 0.1, random, [](std::size_t i, std::size_t) {
                    constexpr time_ns means[] = {100e3, 130e3, 170e3, 220e3};
                    return means[i];
                });
                job& disturbed = made.jobs[seed * 13 % 200];
                made.ideal -= *std::ranges::min_element(disturbed.costs);
                disturbed.is_left_out = true;
                for (time_ns& cost : disturbed.costs) {
                    cost *= 400;
                }
                return made;
            }};
}

/// Tasks that take 16 ms on one of 16 cores, and 3 ms on a device that runs one after the other.
scene many_cores(std::size_t outstanding) {
    return {"16 cores and a device, W = " + std::to_string(outstanding), [=](std::uint64_t seed) {
                random_engine random{seed};
                constexpr double cores = 16;
                workload made{.hardware = {.servers = {{.domain = 0, .slots = 16, .threads = 1},
                                                       {.domain = 1}},
                                           .capacity = {cores, 1}}};
                constexpr time_ns on_core = 16'000 * microsecond;
                constexpr time_ns on_device = 3'000 * microsecond;
                for (std::size_t number = 0; number < 2'000; ++number) {
                    made.jobs.push_back(
                        {.key = {.callable = 1, .sizes = 0},
                         .costs = {on_core * noise(random, 0.1), on_device * noise(random, 0.1)}});
                }
                made.outstanding = outstanding;
                const double on_cores = std::min(static_cast<double>(outstanding) - 1, cores);
                made.ideal =
                    static_cast<double>(made.jobs.size()) / (1 / on_device + on_cores / on_core);
                return made;
            }};
}

/// Bounds of the medians over 15 seeds: bench/results/choice.md has them, and small changes of a rule may use up
/// the margin. 0 where a rule is not meant for a scene.
void set_bounds(std::vector<scene>& all) {
    struct bounds {
        std::string_view scene;
        double auto_tune;
        double earliest_finish;
    };
    for (const auto& [name, auto_tune, earliest_finish] : {
             bounds{"one at a time, k = 4, sigma 0.0, 200 tasks", 1.06, 1.06},
             bounds{"one at a time, k = 4, sigma 0.0, 20,000 tasks", 1.01, 1.01},
             bounds{"one at a time, k = 4, sigma 0.1, 2,000 tasks", 1.02, 1.02},
             bounds{"one at a time, k = 4, sigma 0.5, 2,000 tasks", 1.05, 1.05},
             bounds{"one at a time, k = 4, sigma 0.5, 20,000 tasks", 1.012, 1.012},
             bounds{"one at a time, k = 4, sigma 1.0, 2,000 tasks", 1.05, 1.05},
             bounds{"one at a time, k = 4, sigma 1.0, 20,000 tasks", 1.012, 1.012},
             bounds{"one at a time, k = 64, sigma 0.1, 2,000 tasks", 1.12, 1.12},
             bounds{"two of 80 us with 10 % of 1 ms, one of 100 us, 2,000 tasks", 1.1, 1.1},
             bounds{"nothing drifts, sigma 0.1", 1.006, 1.006},
             bounds{"the best 5 x slower, sigma 0.1", 1.01, 1.01},
             bounds{"another to 0.3 x, sigma 0.1", 1.06, 1.06},
             bounds{"another -1 % per 100, sigma 0.1", 1.02, 1.02},
             bounds{"transient of 2.5 x, sigma 0.1", 1.03, 1.03},
             bounds{"another to 0.3 x, sigma 0.5", 1.15, 1.15},
             bounds{"another -1 % per 100, sigma 0.5", 1.15, 1.15},
             bounds{"sizes over 4 decades, 1 kind, k = 2, 2,000 tasks", 1.03, 1.03},
             bounds{"sizes over 4 decades, 8 kinds, k = 4, 2,000 tasks", 1.3, 1.3},
             bounds{"sizes over 4 decades, 8 kinds, k = 8, 2,000 tasks", 1.7, 1.7},
             bounds{"speeds 1, 2, 4, 8, W = 1", 1.05, 1.05},
             bounds{"speeds 1, 2, 4, 8, W = 2", 0, 1.06},
             bounds{"speeds 1, 2, 4, 8, W = 8", 0, 1.02},
             bounds{"speeds 1, 2, 4, 8, W = 64", 0, 1.02},
             bounds{"with a GPU that tasks share, W = 8", 0, 1.03},
             bounds{"with a GPU that tasks share, W = 64", 0, 1.02},
             bounds{"2,000 at once, first pass", 0, 1.05},
             bounds{"2,000 at once, second pass", 0, 1.04},
             bounds{"one key for all costs, W = 8", 0, 1.08},
             bounds{"second process after 1 pass: sizes over 4 decades, 1 kind, k = 2, 2,000 tasks",
                    1.01, 1.01},
             bounds{
                 "second process after 1 pass: sizes over 4 decades, 8 kinds, k = 4, 2,000 tasks",
                 1.03, 1.03},
             bounds{
                 "second process after 5 passes: sizes over 4 decades, 8 kinds, k = 8, 2,000 tasks",
                 1.03, 1.03},
             bounds{"second process after 1 pass: speeds 1, 2, 4, 8, W = 64", 0, 1.03},
             bounds{"second process after 1 pass: 2,000 at once", 0, 1.03},
             bounds{"equal tasks, k = 8, W = 64, against always the best", 1, 0.3},
             bounds{"16 cores and a device, W = 1", 1.03, 1.03},
             bounds{"16 cores and a device, W = 64", 0, 1.05},
             bounds{"shared cores, 72 tasks", 1.1, 1.06},
             bounds{"shared cores, 2,000 tasks", 1.01, 1.01},
             bounds{"shared cores, kinds that suit the one or the other", 1.015, 1.01},
             bounds{"shared cores and a GPU", 0, 1.02},
             bounds{"a run of 400 x at each of the first 200 positions, 2,000 tasks", 1.02, 1.02},
         }) {
        const auto found = std::ranges::find(all, name, &scene::name);
        if (found == all.end()) {
            throw std::logic_error{"no scene is called " + std::string{name}};
        }
        found->bounds = {{"auto_tune", auto_tune}, {"earliest_finish", earliest_finish}};
    }
}

}  // namespace

const std::vector<scene>& all_scenes() {
    static const std::vector<scene> scenes = [] {
        std::vector<scene> all;
        for (const double sigma : {0.0, 0.1, 0.5, 1.0}) {
            for (const std::size_t count : {200U, 2'000U, 20'000U}) {
                all.push_back(steady(4, count, sigma));
            }
        }
        all.push_back(steady(64, 2'000, 0.1));
        all.push_back(heavy_tail());
        for (const double sigma : {0.1, 0.5}) {
            all.push_back(drifting("nothing drifts", sigma, [](auto, auto) { return 1.0; }));
            all.push_back(drifting("the best 5 x slower", sigma, [](std::size_t i, std::size_t n) {
                return i == 0 && n >= 3'000 ? 5.0 : 1.0;
            }));
            all.push_back(drifting("another to 0.3 x", sigma, [](std::size_t i, std::size_t n) {
                return i == 2 && n >= 3'000 ? 0.3 : 1.0;
            }));
            all.push_back(drifting("another -1 % per 100", sigma, [](std::size_t i, std::size_t n) {
                return i == 2 ? std::pow(0.99, static_cast<double>(n) / 100) : 1.0;
            }));
            all.push_back(drifting("transient of 2.5 x", sigma, [](std::size_t i, std::size_t n) {
                return i == 0 && n >= 3'000 && n < 3'300 ? 2.5 : 1.0;
            }));
        }
        all.push_back(sizes(1, 2));
        all.push_back(sizes(8, 4));
        all.push_back(sizes(8, 8));
        for (const std::size_t outstanding : {1U, 2U, 8U, 64U}) {
            all.push_back(backlog({.name = "speeds 1, 2, 4, 8, W = " + std::to_string(outstanding),
                                   .outstanding = outstanding}));
        }
        for (const std::size_t outstanding : {8U, 64U}) {
            all.push_back(
                backlog({.name = "with a GPU that tasks share, W = " + std::to_string(outstanding),
                         .outstanding = outstanding,
                         .with_gpu = true}));
        }
        all.push_back(backlog({.name = "2,000 at once, first pass", .outstanding = 2'000}));
        all.push_back(
            backlog({.name = "2,000 at once, second pass", .outstanding = 2'000, .passes = 2}));
        all.push_back(backlog(
            {.name = "one key for all costs, W = 8", .outstanding = 8, .is_one_key = true}));
        for (const std::size_t passes : {1U, 5U}) {
            for (const auto& first : {sizes(1, 2), sizes(8, 4), sizes(8, 8)}) {
                all.push_back(in_second_process(first, passes));
            }
        }
        for (const auto& first : {backlog({.name = "speeds 1, 2, 4, 8, W = 64", .outstanding = 64}),
                                  backlog({.name = "2,000 at once", .outstanding = 2'000})}) {
            all.push_back(in_second_process(first, 1));
        }
        all.push_back(always_the_best());
        for (const std::size_t outstanding : {1U, 8U, 64U}) {
            all.push_back(many_cores(outstanding));
        }
        all.push_back(shared_cores({.name = "shared cores, 72 tasks", .count = 72}));
        all.push_back(shared_cores({.name = "shared cores, 2,000 tasks", .count = 2'000}));
        all.push_back(shared_cores({.name = "shared cores, kinds that suit the one or the other",
                                    .count = 2'000,
                                    .are_kinds_mixed = true}));
        all.push_back(
            shared_cores({.name = "shared cores and a GPU", .count = 2'000, .with_gpu = true}));
        all.push_back(spike());
        set_bounds(all);
        return all;
    }();
    return scenes;
}

double ratio_to_ideal(const workload& work, chooser& choose) {
    time_ns taken = 0;
    std::size_t number = 0;
    pointsman::replay::machine run{places_of(work.hardware)};
    for (std::size_t pass = 0; pass < work.passes; ++pass) {
        if (work.restarts && pass + 1 == work.passes) {
            choose.restart();
        }
        const time_ns begin = run.now();
        time_ns left_out = 0;
        const auto complete_one = [&] {
            const auto done = run.next();
            choose.complete(done.number, run.now() - done.submitted, run.now());
        };
        for (const job& next : work.jobs) {
            while (run.outstanding() >= work.outstanding) {
                complete_one();
            }
            auto server = choose.choose(number, next, run.now());
            for (; !server; server = choose.choose(number, next, run.now())) {
                complete_one();
            }
            left_out += next.is_left_out ? next.costs[*server] : 0;
            run.submit(number++, *server, next.costs[*server]);
        }
        while (run.outstanding() > 0) {
            complete_one();
        }
        taken = run.now() - begin - left_out;
    }
    return taken / work.ideal;
}

}  // namespace bench::choice
