// SPDX-License-Identifier: Apache-2.0
// Finds the least and the greatest value in one pass, in several threads and without the GIL.
#include <tbb/enumerable_thread_specific.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/wide_registers.hpp"
#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {
namespace {

/// The least and the greatest of some values that are not NaN, and whether others are.
template <class T>
struct extremes_of_part {
    using limits = std::numeric_limits<T>;

    T least = limits::has_infinity ? limits::infinity() : limits::max();
    T greatest = limits::has_infinity ? -limits::infinity() : limits::lowest();
    bool has_nan = false;

    void add(const extremes_of_part& other) noexcept {
        least = other.least < least ? other.least : least;
        greatest = other.greatest > greatest ? other.greatest : greatest;
        has_nan = has_nan || other.has_nan;
    }
};

/// Compares the values of several registers with those before, so that no comparison waits for the last one.
template <class T>
struct extremes_loop {
    [[gnu::always_inline]] static void run(const T* values, std::size_t count,
                                           extremes_of_part<T>* found) noexcept {
        constexpr std::size_t lanes = 128 / sizeof(T);
        std::array<T, lanes> least, greatest, is_nan{};
        least.fill(found->least);
        greatest.fill(found->greatest);
        std::size_t at = 0;
        for (; at + lanes <= count; at += lanes) {
            for (std::size_t i = 0; i < lanes; ++i) {
                const T each = values[at + i];
                least[i] = each < least[i] ? each : least[i];
                greatest[i] = each > greatest[i] ? each : greatest[i];
                if constexpr (std::is_floating_point_v<T>) {
                    is_nan[i] = each == each ? is_nan[i] : T{1};
                }
            }
        }
        for (std::size_t i = 0; i < lanes; ++i) {
            found->add({least[i], greatest[i], is_nan[i] != 0});
        }
        for (; at < count; ++at) {
            found->add({values[at], values[at], values[at] != values[at]});
        }
    }
};

template <class T>
extremes_of_part<T> extremes_of(std::span<const T> values, bool is_parallel) {
    constexpr std::size_t worth_a_thread = 131'072;
    const auto loop =
        loop_for_processor<extremes_loop<T>, const T*, std::size_t, extremes_of_part<T>*>();
    extremes_of_part<T> found;
    if (is_parallel && values.size() >= 2 * worth_a_thread) {
        tbb::enumerable_thread_specific<extremes_of_part<T>> of_threads;
        binding::in_threads(values.size(), worth_a_thread, [&](std::size_t begin, std::size_t end) {
            loop(values.data() + begin, end - begin, &of_threads.local());
        });
        for (const auto& each : of_threads) {
            found.add(each);
        }
    } else {
        loop(values.data(), values.size(), &found);
    }
    return found;
}

void extremes(const py::array& values, const py::array& out, bool is_parallel) {
    with_values(numbers_but_half{}, out, [&]<class T>(std::span<T> results) {
        const auto given = values_of<const T>(values);
        if (given.empty() || results.size() != 2) {
            throw py::value_error{"pass at least one value, and an out with two elements"};
        }
        without_gil(is_parallel, [&] {
            const auto found = extremes_of(given, is_parallel);
            results[0] = found.has_nan ? std::numeric_limits<T>::quiet_NaN() : found.least;
            results[1] = found.has_nan ? std::numeric_limits<T>::quiet_NaN() : found.greatest;
        });
    });
}

}  // namespace

void register_extremes(py::module_& m) {
    m.def("extremes", &extremes, py::arg("values"), py::arg("out"), py::arg("is_parallel"),
          R"(extremes(values, out, is_parallel)
--

Write the least and the greatest value to ``out``, of the same type; NaN if there is one.)");
}

}  // namespace pointsman::python
