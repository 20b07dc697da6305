// SPDX-License-Identifier: Apache-2.0
// Counts how often each integer occurs, in several threads and without the GIL.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "algorithm/bin_counters.hpp"
#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/wide_registers.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::python {
namespace {

/// The most counts of so many values: more would need more memory than the values do.
constexpr std::size_t most_counts(std::size_t values) noexcept {
    return std::clamp(values, std::size_t{65'536}, std::size_t{1} << 31);
}

/// A number that is at least as large as each value, and at most twice the largest one; huge if values are negative.
template <class T>
struct bound_of_numbers {
    [[gnu::always_inline]] static std::uint64_t run(const T* values, std::size_t count) noexcept {
        T bits = 0;
        for (std::size_t i = 0; i < count; ++i) {
            bits |= values[i];
        }
        return static_cast<std::uint64_t>(bits);
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

/// Returns the counts of the values, none if there may be more than `most_counts`.
template <class T>
std::vector<std::int64_t> counts_of(std::span<const T> values, bool is_parallel) {
    constexpr std::size_t worth_a_thread = 131'072;
    const auto bound_of = loop_for_processor<bound_of_numbers<T>, const T*, std::size_t>();
    std::atomic<std::uint64_t> bound{0};
    const auto look = [&](std::size_t begin, std::size_t end) {
        bound |= bound_of(values.data() + begin, end - begin);
    };
    if (is_parallel && values.size() >= 2 * worth_a_thread) {
        pointsman::detail::in_threads(values.size(), worth_a_thread, look);
    } else {
        look(0, values.size());
    }
    if (bound >= most_counts(values.size())) {
        return {};
    }
    std::vector<std::int64_t> counts(bound + 1);
    const auto indices =
        loop_for_processor<indices_of_numbers<T>, const T*, std::size_t, bin_index, bin_index*>();
    count_by_index(values.size(), std::span{counts}, is_parallel,
                   [&](std::size_t begin, std::size_t count, bin_index* out) {
                       indices(values.data() + begin, count, static_cast<bin_index>(counts.size()),
                               out);
                   });
    while (!counts.empty() && counts.back() == 0) {
        counts.pop_back();
    }
    return counts;
}

using integers = types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                       std::uint16_t, std::uint32_t>;

std::optional<py::array> bincount(const py::array& values, std::size_t least_length,
                                  bool is_parallel) {
    std::vector<std::int64_t> counts;
    with_values(read_only(integers{}), values, [&]<class T>(std::span<const T> given) {
        without_gil(is_parallel, [&] { counts = counts_of(given, is_parallel); });
    });
    if (counts.empty()) {
        return std::nullopt;
    }
    py::array_t<std::int64_t> out{static_cast<py::ssize_t>(std::max(counts.size(), least_length))};
    const auto rest = std::ranges::copy(counts, out.mutable_data()).out;
    std::fill(rest, out.mutable_data() + out.size(), 0);
    return out;
}

}  // namespace

void register_bincount(py::module_& m) {
    m.def("bincount", &bincount, py::arg("values"), py::arg("least_length"), py::arg("is_parallel"),
          R"(bincount(values, least_length, is_parallel)
--

Return how often each integer up to the greatest occurs, followed by zeros up to ``least_length``. Return
None if values are negative or may be greater than 65,535 and than the number of values.)");
}

}  // namespace pointsman::python
