// SPDX-License-Identifier: Apache-2.0
// Counts how often each integer occurs, in several threads and without the GIL.
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "algorithm/bin_counters.hpp"
#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/wide_registers.hpp"
#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {
namespace {

/// The most counts of so many values: more would need more memory than the values do.
constexpr std::size_t most_counts(std::size_t values) noexcept {
    return std::clamp(values, std::size_t{65'536}, std::size_t{1} << 31);
}

/// The greatest of some values; -1 if one is negative.
template <class T>
struct greatest_number {
    [[gnu::always_inline]] static std::int64_t run(const T* values, std::size_t count) noexcept {
        constexpr std::size_t width = 32, lanes = width / sizeof(T), registers = 4;
        using vector __attribute__((vector_size(width))) = T;
        vector greatest[registers] = {}, bits{};
        std::size_t i = 0;
        for (; i + registers * lanes <= count; i += registers * lanes) {
            for (std::size_t r = 0; r < registers; ++r) {
                vector now;
                std::memcpy(&now, values + i + r * lanes, width);
                greatest[r] = now > greatest[r] ? now : greatest[r];
                bits |= now;
            }
        }
        T most = 0, all_bits = 0;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            for (const vector& each : greatest) {
                most = std::max<T>(most, each[lane]);
            }
            all_bits = static_cast<T>(all_bits | bits[lane]);
        }
        for (; i < count; ++i) {
            most = std::max(most, values[i]);
            all_bits = static_cast<T>(all_bits | values[i]);
        }
        return all_bits < 0 ? -1 : static_cast<std::int64_t>(most);
    }
};

/// Writes each value as an index; `bins` if it is none below `bins`.
template <class T>
struct indices_of_numbers {
    [[gnu::always_inline]] static void run(const T* values, std::size_t count, bin_index bins,
                                           bin_index* out) noexcept {
        using number = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
        for (std::size_t i = 0; i < count; ++i) {
            const auto given = static_cast<number>(values[i]);  // a large one if negative
            out[i] = static_cast<bin_index>(given < bins ? given : bins);
        }
    }
};

/// How many counts the values need; 0 if that is more than `most_counts`, and if a value is negative.
template <class T>
std::size_t length_of(std::span<const T> values, bool is_parallel) {
    constexpr std::size_t worth_a_thread = 131'072;
    const auto greatest = loop_for_processor<greatest_number<T>, const T*, std::size_t>();
    std::mutex merging;
    std::uint64_t most = 0;
    const auto look = [&](std::size_t begin, std::size_t end) {
        const auto found = static_cast<std::uint64_t>(greatest(values.data() + begin, end - begin));
        const std::lock_guard lock{merging};
        most = std::max(most, found);  // -1 is the greatest
    };
    if (is_parallel && values.size() >= 2 * worth_a_thread) {
        binding::in_threads(values.size(), worth_a_thread, look);
    } else {
        look(0, values.size());
    }
    return most < most_counts(values.size()) ? static_cast<std::size_t>(most) + 1 : 0;
}

/// Adds to each element of `counts` how often its index occurs.
template <class T>
void count_numbers(std::span<const T> values, std::span<std::int64_t> counts, bool is_parallel) {
    using number = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    if (counts.size() > bin_counters::few_bins &&
        !(is_parallel && are_worth_copies(counts.size(), values.size()))) {
        for (const T value : values) {
            if (static_cast<number>(value) < counts.size()) {
                ++counts[static_cast<number>(value)];
            }
        }
        return;
    }
    const auto indices =
        loop_for_processor<indices_of_numbers<T>, const T*, std::size_t, bin_index, bin_index*>();
    count_by_index(values.size(), counts, is_parallel,
                   [&](std::size_t begin, std::size_t count, bin_index* out) {
                       indices(values.data() + begin, count, static_cast<bin_index>(counts.size()),
                               out);
                   });
}

using integers = types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                       std::uint16_t, std::uint32_t>;

std::optional<py::array> bincount(const py::array& values, std::size_t least_length,
                                  bool is_parallel) {
    std::optional<py::array> counted;
    if (!is_contiguous_and_aligned(values) || values.size() == 0) {
        return counted;
    }
    with_values(read_only(integers{}), values, [&]<class T>(std::span<const T> given) {
        std::size_t length = 0;
        without_gil(is_parallel, [&] { length = length_of(given, is_parallel); });
        if (length == 0) {
            return;
        }
        py::array_t<std::int64_t> counts{static_cast<py::ssize_t>(std::max(length, least_length))};
        const std::span all{counts.mutable_data(), static_cast<std::size_t>(counts.size())};
        without_gil(is_parallel, [&] {
            std::ranges::fill(all, 0);
            count_numbers(given, all.first(length), is_parallel);
        });
        counted = std::move(counts);
    });
    return counted;
}

std::optional<py::array> weighted_bincount(const py::array& values, const py::array& weights,
                                           std::size_t least_length) {
    std::optional<py::array> summed;
    if (!is_contiguous_and_aligned(values) || !is_contiguous_and_aligned(weights) ||
        values.size() == 0) {
        return summed;
    }
    const std::span<const double> summands = values_of<const double>(weights);
    if (weights.size() != values.size()) {
        throw py::value_error{"pass one weight for each value"};
    }
    with_values(read_only(integers{}), values, [&]<class T>(std::span<const T> given) {
        std::size_t length = 0;
        without_gil(false, [&] { length = length_of(given, false); });
        if (length == 0) {
            return;
        }
        py::array_t<double> sums{static_cast<py::ssize_t>(std::max(length, least_length))};
        const std::span all{sums.mutable_data(), static_cast<std::size_t>(sums.size())};
        without_gil(false, [&] {
            std::ranges::fill(all, 0.0);
            for (std::size_t i = 0; i < given.size(); ++i) {
                const auto at = static_cast<std::size_t>(given[i]);
                if (at < length) {  // unless another thread has changed it
                    all[at] += summands[i];
                }
            }
        });
        summed = std::move(sums);
    });
    return summed;
}

}  // namespace

void register_bincount(py::module_& m) {
    m.def("bincount", &bincount, py::arg("values"), py::arg("least_length"), py::arg("is_parallel"),
          R"(bincount(values, least_length, is_parallel)
--

Return how often each integer up to the greatest occurs, followed by zeros up to ``least_length``. Return
None if a value is negative, or is at least 65,536 and the number of values, and for an array that is empty
or not contiguous and aligned.)");
    m.def("weighted_bincount", &weighted_bincount, py::arg("values"), py::arg("weights"),
          py::arg("least_length"), R"(weighted_bincount(values, weights, least_length)
--

Return the sum of the float64 weights of each integer up to the greatest, added in order, followed by zeros
up to ``least_length``. Return None where ``bincount`` does, and for weights that are not contiguous and
aligned. Raise ValueError unless there is one weight for each value.)");
}

}  // namespace pointsman::python
