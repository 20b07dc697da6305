// SPDX-License-Identifier: Apache-2.0
// Registers prefix sums, in several threads and without the GIL.
#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {
namespace {

template <class T>
void write_sums(const auto& policy, std::span<const T> values, T* out, std::span<const T> initial,
                bool is_exclusive) {
    const T* const end = values.data() + values.size();
    if (is_exclusive) {
        pointsman::exclusive_scan(policy, values.data(), end, out, initial[0], plus{});
    } else if (initial.empty()) {
        pointsman::inclusive_scan(policy, values.data(), end, out, plus{});
    } else {
        pointsman::inclusive_scan(policy, values.data(), end, out, plus{}, initial[0]);
    }
}

void scan(const py::array& values, const py::array& out, const py::array& initial,
          bool is_exclusive, bool is_parallel) {
    with_values(
        types<float, double, std::int64_t, std::uint64_t>{}, out,
        [&]<class T>(std::span<T> results) {
            const auto given = values_of<const T>(values), first = values_of<const T>(initial);
            if (given.size() != results.size() || first.size() > 1 ||
                (is_exclusive && first.empty())) {
                throw py::value_error{
                    "pass at most one initial value, one for an exclusive scan, and an "
                    "element of out for each value"};
            }
            if (is_parallel) {
                binding::tbb_threads::use();
                const gil_released others_may_run;
                write_sums(execution::par_unseq, given, results.data(), first, is_exclusive);
            } else {
                const gil_released others_may_run;
                write_sums(execution::seq, given, results.data(), first, is_exclusive);
            }
        });
}

/// Writes the prefix sums of `Rows` neighbouring lines of `length` values, one at least, in order: each addition waits for
/// the one before, so the processor does those of other lines meanwhile. Integers wrap around.
template <std::size_t Rows, class T>
void add_up_rows(const T* in, std::size_t length, std::span<const T> initial, bool is_exclusive,
                 T* out) {
    using added = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>,
                                              std::type_identity<T>>::type;
    added sums[Rows];
    for (std::size_t row = 0; row < Rows; ++row) {
        if (is_exclusive) {
            sums[row] = static_cast<added>(initial[0]);
        } else {
            const added first = static_cast<added>(in[row * length]);
            sums[row] = initial.empty() ? first : static_cast<added>(initial[0]) + first;
        }
        out[row * length] = static_cast<T>(sums[row]);
    }
    const std::size_t behind = is_exclusive ? 1 : 0;
    for (std::size_t i = 1; i < length; ++i) {
        for (std::size_t row = 0; row < Rows; ++row) {
            sums[row] += static_cast<added>(in[row * length + i - behind]);
            out[row * length + i] = static_cast<T>(sums[row]);
        }
    }
}

bool scan_rows(const py::array& values, const py::array& out, const py::array& initial,
               bool is_exclusive, bool is_parallel) {
    std::atomic<bool> has_failed{false};
    with_values(
        types<float, double, std::int64_t, std::uint64_t>{}, out,
        [&]<class T>(std::span<T> results) {
            const auto given = values_of<const T>(values), first = values_of<const T>(initial);
            if (out.ndim() != 2 || given.size() != results.size() || given.empty() ||
                first.size() > 1 || (is_exclusive && first.empty())) {
                throw py::value_error{"pass rows of values, and an element of out for each value"};
            }
            const auto length = static_cast<std::size_t>(out.shape(1));
            const auto add_up = [&](std::size_t row, std::size_t end) {
                constexpr std::size_t at_once = 4;
                std::feclearexcept(FE_ALL_EXCEPT);
                for (; row + at_once <= end; row += at_once) {
                    add_up_rows<at_once>(given.data() + row * length, length, first, is_exclusive,
                                         results.data() + row * length);
                }
                for (; row < end; ++row) {
                    add_up_rows<1>(given.data() + row * length, length, first, is_exclusive,
                                   results.data() + row * length);
                }
                if (std::fetestexcept(FE_OVERFLOW | FE_INVALID) != 0) {
                    std::feclearexcept(FE_ALL_EXCEPT);
                    has_failed = true;
                }
            };
            const auto rows = static_cast<std::size_t>(out.shape(0));
            without_gil(is_parallel, [&] {
                if (is_parallel) {
                    constexpr std::size_t of_block = 16'384;  // values
                    const std::size_t grain = std::max(of_block / length, std::size_t{4});
                    binding::in_threads(rows, grain, add_up);
                } else {
                    add_up(0, rows);
                }
            });
        });
    return !has_failed;
}

/// Replaces the values of each of the pieces of `x`, which begin at `begins`, by their sums from the begin of the piece
/// on. Integers wrap around. Returns false if a float is not finite then.
template <class T>
bool add_up(std::span<T> x, std::span<const std::int64_t> begins) {
    using added = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>,
                                              std::type_identity<T>>::type;
    bool is_finite = true;
    for (std::size_t k = 0; k < begins.size(); ++k) {
        const auto begin = static_cast<std::size_t>(begins[k]);
        const std::size_t end =
            k + 1 < begins.size() ? static_cast<std::size_t>(begins[k + 1]) : x.size();
        added sum{};
        for (std::size_t i = begin; i < end; ++i) {
            sum = i == begin ? static_cast<added>(x[i]) : sum + static_cast<added>(x[i]);
            x[i] = static_cast<T>(sum);
        }
        if constexpr (std::floating_point<T>) {
            is_finite = is_finite && std::isfinite(sum);
        }
    }
    return is_finite;
}

bool add_up_pieces(const py::array& values, const py::array& begins) {
    bool is_finite = true;
    with_values(types<float, double, std::int64_t, std::uint64_t>{}, values,
                [&]<class T>(std::span<T> x) {
                    const auto given = values_of<const std::int64_t>(begins);
                    const auto size = static_cast<std::int64_t>(x.size());
                    if (!std::is_sorted(given.begin(), given.end()) ||
                        (!given.empty() && (given.front() < 0 || given.back() > size))) {
                        throw py::value_error{"pass rising indices of the values"};
                    }
                    const gil_released others_may_run;
                    is_finite = add_up(x, given);
                });
    return is_finite;
}

}  // namespace

void register_scan(py::module_& m) {
    m.def("scan", &scan, py::arg("values"), py::arg("out"), py::arg("initial"),
          py::arg("is_exclusive"), py::arg("is_parallel"),
          R"(scan(values, out, initial, is_exclusive, is_parallel)
--

Write the sums of ``initial``, an array of one value or none, and all values up to each index to ``out``,
in order unless ``is_parallel``.)");
    m.def("scan_rows", &scan_rows, py::arg("values"), py::arg("out"), py::arg("initial"),
          py::arg("is_exclusive"), py::arg("is_parallel"),
          R"(scan_rows(values, out, initial, is_exclusive, is_parallel)
--

Write the sums of ``initial``, an array of one value or none, and all values up to each index of its row
to ``out``, of two dimensions, in order. Return False if an addition raised a floating-point error.)");
    m.def("add_up_pieces", &add_up_pieces, py::arg("values"), py::arg("begins"),
          R"(add_up_pieces(values, begins)
--

Replace each value by the sum of the values of its piece up to it. Pieces begin at ``begins``. Return False
if a sum is not finite: then NumPy may report floating-point errors.)");
}

}  // namespace pointsman::python
