// SPDX-License-Identifier: Apache-2.0
// Draws the tasks of each shape: their lengths, their arrivals, and the speeds of the resources.
#include "shape.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>

namespace bench::policies {
namespace {

namespace replay = pointsman::replay;
using random_engine = std::mt19937_64;

constexpr double mean_length = 10e6;  // nanoseconds, at speed 1

/// The mean of what `length` returns is about 1.
using length_of_task = double (*)(random_engine& random);
/// How many times as long tasks take on `place` when the part `progress` of them has been submitted.
using slow_down = double (*)(std::size_t place, double progress);

double between(random_engine& random, double low, double high) {
    return std::uniform_real_distribution<double>{low, high}(random);
}

double uniform(random_engine& random) { return between(random, 0.5, 1.5); }

double bimodal(random_engine& random) { return between(random, 0, 1) < 0.9 ? 0.5 : 5.5; }

/// A Pareto distribution with the exponent 1.5, cut off at 300 times its least value.
double heavy_tailed(random_engine& random) {
    constexpr double exponent = 1.5;
    constexpr double longest = 300;
    constexpr double mean = 2.83;
    const double part = between(random, 0, 1) * (1 - std::pow(longest, -exponent));
    return std::pow(1 - part, -1 / exponent) / mean;
}

double never_slower(std::size_t, double) { return 1; }

double drifts(std::size_t place, double progress) { return place % 4 == 0 ? 1 + 4 * progress : 1; }

double straggles(std::size_t place, double) { return place == 0 ? 10 : 1; }

struct details {
    length_of_task length = uniform;
    slow_down slower = never_slower;
    bool is_unlike = true;           ///< the speeds of the resources
    std::size_t arrive_at_once = 1;  ///< for each resource; 1: one after the other
};

scenario draw(const details& of, std::size_t count, std::size_t tasks, std::uint64_t seed) {
    random_engine random{seed};
    scenario made;
    double capacity = 0;
    for (std::size_t i = 0; i < count; ++i) {
        constexpr std::uint32_t speeds[] = {4, 2, 1, 1};
        made.places.push_back(replay::place_with(std::to_string(i), 1));
        made.speeds.push_back(of.is_unlike ? speeds[i % 4] : 1);
        capacity += made.speeds.back();
    }
    const std::size_t group = of.arrive_at_once == 1 ? 1 : of.arrive_at_once * count;
    const double gap = mean_length / capacity;
    made.work.kinds = {
        {.callable = 1, .sizes = 1}};  // no policy can tell long tasks from short ones
    made.work.kind_of.assign(tasks, 0);
    made.work.threads.resize(1);
    std::vector<double> lengths;
    for (std::uint32_t i = 0; i < tasks; ++i) {
        const double arrives =
            group == 1 ? std::exponential_distribution<double>{1 / gap}(random)
                       : (i > 0 && i % group == 0 ? gap * static_cast<double>(group) : 0);
        made.work.threads[0].push_back({arrives, i, replay::action::kind::submit});
        lengths.push_back(mean_length * of.length(random));
    }
    made.work.time_on = [lengths = std::make_shared<const std::vector<double>>(std::move(lengths)),
                         speeds = made.speeds,
                         slower = of.slower](std::size_t task, std::size_t place) {
        const double progress = static_cast<double>(task) / static_cast<double>(lengths->size());
        return (*lengths)[task] * slower(place, progress) / speeds[place];
    };
    return made;
}

shape shape_of(std::string name, details of) {
    return {std::move(name), [of](std::size_t places, std::size_t tasks, std::uint64_t seed) {
                return draw(of, places, tasks, seed);
            }};
}

}  // namespace

const std::vector<shape>& all_shapes() {
    static const std::vector<shape> shapes{
        shape_of("uniform", {}),
        shape_of("bimodal", {.length = bimodal}),
        shape_of("heavy-tailed", {.length = heavy_tailed}),
        shape_of("bursts", {.arrive_at_once = 8}),
        shape_of("drifting", {.slower = drifts, .is_unlike = false}),
        shape_of("one straggler", {.slower = straggles, .is_unlike = false}),
    };
    return shapes;
}

}  // namespace bench::policies
