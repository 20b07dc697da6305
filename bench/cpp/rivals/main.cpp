// SPDX-License-Identifier: Apache-2.0
// Prints how fast algorithms are beside those of other libraries, which take turns on the same values.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "library.hpp"
#include "markdown.hpp"
#include "median.hpp"

namespace bench::rivals {
namespace {

std::vector<float> random_values(std::size_t size, unsigned seed) {
    std::mt19937 random{seed};
    std::vector<float> values(size);
    for (float& value : values) {
        value = std::uniform_real_distribution<float>{}(random);
    }
    return values;
}

/// About every second value occurs twice.
std::vector<float> sorted_values(std::size_t size, unsigned seed) {
    std::vector<float> values = random_values(size, seed);
    const auto kinds = static_cast<float>(std::max<std::size_t>(size, 1));
    for (float& value : values) {
        value = std::floor(value * kinds) / kinds;
    }
    std::ranges::sort(values);
    return values;
}

struct settings {
    std::vector<std::size_t> sizes{100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
    double least_seconds = 0.1;
    std::string only;        // part of a name
    bool shows_all = false;  // the times also where no rival is ahead
};

/// The seconds that a run takes; short ones are run several times, unless they need random values.
double time_of(const algorithm& of, arrays& data) {
    const auto seconds = [&](std::size_t runs) {
        const auto begin = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < runs; ++i) {
            of.run(data);
        }
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        return taken.count() / static_cast<double>(runs);
    };
    constexpr std::size_t work = 10'000;  // values
    if (of.needs_random) {
        data.renew();
        return seconds(1);
    }
    return seconds(1 + work / data.x.size());
}

/// The median seconds of each of `rivals`, of rounds in which each runs once, in a new order.
std::vector<double> medians(const std::vector<const algorithm*>& rivals, arrays& data,
                            double least_seconds) {
    constexpr std::size_t least_rounds = 5;
    std::vector<std::vector<double>> times(rivals.size());
    double total = 0;
    for (std::size_t round = 0; round < least_rounds || total < least_seconds; ++round) {
        for (std::size_t i = 0; i < rivals.size(); ++i) {
            const std::size_t which = (round + i) % rivals.size();
            times[which].push_back(time_of(*rivals[which], data));
            total += times[which].back();
        }
    }
    std::vector<double> found;
    for (const auto& each : times) {
        found.push_back(median(each));
    }
    return found;
}

std::string with_digits(double value, int digits = 3) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return text;
}
std::string speed_text(double speed) {
    char text[32];
    std::snprintf(text, sizeof text, speed < 1 ? "**%.2f**" : speed < 10 ? "%.1f" : "%.0f", speed);
    return text;
}
/// Such as 1e6, but 1500000.
std::string size_text(std::size_t size) {
    const std::string digits = std::to_string(size);
    const bool is_power = digits.find_last_not_of('0') == 0 && digits[0] == '1';
    return is_power ? "1e" + std::to_string(digits.size() - 1) : digits;
}

void run(const settings& asked) {
    std::vector<library> libraries{pointsman_library(), standard_library()};
#if defined(POINTSMAN_BENCH_ONEDPL)
    libraries.push_back(onedpl_library());
#endif
    libraries.push_back(tbb_library());

    markdown_lines times{{"algorithm", "values"}};
    markdown_lines all{{"speed"}};
    for (const library& each : libraries) {
        times.front().push_back(each.name + ", us");
    }
    times.front().push_back("speed");
    std::map<std::string, std::size_t> line_of;
    for (const algorithm& ours : libraries.front().algorithms) {
        if (ours.name.find(asked.only) != std::string::npos) {
            line_of[ours.name] = all.size();
            all.push_back({ours.name});
        }
    }
    for (const std::size_t size : asked.sizes) {
        all.front().push_back(size_text(size));
        arrays data{size};
        for (const algorithm& ours : libraries.front().algorithms) {
            const auto line = line_of.find(ours.name);
            if (line == line_of.end()) {
                continue;
            }
            std::vector<const algorithm*> rivals;
            for (const library& each : libraries) {
                const auto found = std::ranges::find(each.algorithms, ours.name, &algorithm::name);
                if (found != each.algorithms.end()) {
                    rivals.push_back(&*found);
                }
            }
            const auto seconds = medians(rivals, data, asked.least_seconds);
            const double best = *std::min_element(seconds.begin() + 1, seconds.end());
            const double speed = best / seconds.front();
            all[line->second].push_back(speed_text(speed));
            if (speed < 1 || asked.shows_all) {
                std::vector<std::string> row{ours.name, size_text(size)};
                for (const double each : seconds) {
                    row.push_back(with_digits(each * 1e6));
                }
                row.resize(times.front().size() - 1, "-");
                row.push_back(speed_text(speed));
                times.push_back(row);
            }
        }
    }
    print(std::cout, times);
    std::cout << '\n';
    print(std::cout, all);
}

}  // namespace

arrays::arrays(std::size_t size)
    : x{random_values(size, 1)},
      y{random_values(size, 2)},
      same{x},
      first{sorted_values(size / 2, 3)},
      second{sorted_values(size / 2, 4)},
      out(size),
      changed{x},
      pool_{random_values(size + 100'000, 5)} {
    for (std::size_t i = 0; i < first.size(); i += 2) {
        half.push_back(first[i]);
    }
}

void arrays::renew() {
    constexpr std::size_t step = 9'973;  // a prime: the same values come back after the whole pool
    at_ = (at_ + changed.size() + step) % (pool_.size() - changed.size());
    std::copy_n(pool_.begin() + static_cast<std::ptrdiff_t>(at_), changed.size(), changed.begin());
}

}  // namespace bench::rivals

/// `bench_rivals [--sizes=1e2,1e6] [--min-time=0.1] [--only=sort] [--all]`: prints the times of the algorithms in which
/// a rival is ahead, or of all, and then the speed of all: the time of the fastest rival divided by ours.
int main(int argc, char** argv) {
    bench::rivals::settings asked;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        const char* value = argv[i] + std::min(option.size(), option.find('=') + 1);
        bool is_valid = false;
        if (option.starts_with("--sizes=")) {
            asked.sizes.clear();
            is_valid = true;
            while (is_valid && *value != '\0') {
                char* end = nullptr;
                const double size = std::strtod(value, &end);
                is_valid =
                    end != value && size >= 2 && size <= 1e9 && (*end == ',' || *end == '\0');
                asked.sizes.push_back(static_cast<std::size_t>(is_valid ? size : 0));
                value = *end == ',' ? end + 1 : end;
            }
        } else if (option.starts_with("--min-time=")) {
            asked.least_seconds = std::atof(value);
            is_valid = asked.least_seconds > 0;
        } else if (option.starts_with("--only=")) {
            asked.only = value;
            is_valid = true;
        } else if (option == "--all") {
            is_valid = asked.shows_all = true;
        }
        if (!is_valid) {
            std::cerr
                << "bench_rivals: " << option
                << " is no option; --sizes=1e2,1e6 (2 or more values), --min-time=SECONDS (more "
                   "than 0), --only=PART_OF_A_NAME and --all are\n";
            return 2;
        }
    }
    bench::rivals::run(asked);
}
