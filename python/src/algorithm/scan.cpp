// SPDX-License-Identifier: Apache-2.0
// Registers prefix sums, in several threads and without the GIL.
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "algorithm/line_sums.hpp"
#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"

namespace pointsman::python {
namespace {

/// `values` in the type in which they are added: signed integers that overflow are undefined.
template <class T>
std::span<const added_as<T>> summands_of(std::span<const T> values) noexcept {
    return {reinterpret_cast<const added_as<T>*>(values.data()), values.size()};
}

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
            auto* const sums = reinterpret_cast<added_as<T>*>(results.data());
            const auto write = [&](const auto& policy) {
                write_sums(policy, summands_of(given), sums, summands_of(first), is_exclusive);
            };
            without_gil(is_parallel, [&] {
                if (is_parallel) {
                    write(execution::par_unseq);
                } else {
                    write(execution::seq);
                }
            });
        });
}

/// The types of values whose sums have the type `Out`.
template <class Out>
using summands =
    std::conditional_t<std::integral<Out>,
                       types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                             std::uint16_t, std::uint32_t, std::uint64_t>,
                       types<Out>>;

bool scan_lines(const py::array& values, const py::array& out, const py::array& initial,
                bool is_exclusive, bool is_parallel) {
    bool has_succeeded = false;
    with_values(
        types<float, double, std::int64_t, std::uint64_t>{}, out,
        [&]<class T>(std::span<T> results) {
            with_values(read_only(summands<T>{}), values, [&]<class In>(std::span<In> given) {
                const auto first = values_of<const T>(initial);
                if (out.ndim() != 3 || given.size() != results.size() || given.empty() ||
                    first.size() > 1 || (is_exclusive && first.empty())) {
                    throw py::value_error{
                        "pass lines of values, and an element of out for each value"};
                }
                const auto inner = static_cast<std::size_t>(out.shape(2));
                const auto outer = static_cast<std::size_t>(out.shape(0));
                const line_sums<std::remove_const_t<In>, T> lines{
                    given.data(),
                    results.data(),
                    static_cast<std::size_t>(out.shape(1)),
                    inner,
                    first.empty() ? nullptr : first.data(),
                    is_exclusive};
                has_succeeded = inner == 1 ? scan_rows(lines, outer, is_parallel)
                                           : scan_columns(lines, outer, is_parallel);
            });
        });
    return has_succeeded;
}

/// Replaces the values of each of the pieces of `x`, which begin at `begins`, by their sums from the begin of the piece
/// on. Integers wrap around. Returns false if a float is not finite then.
template <class T>
bool add_up(std::span<T> x, std::span<const std::int64_t> begins) {
    bool is_finite = true;
    for (std::size_t k = 0; k < begins.size(); ++k) {
        const auto begin = static_cast<std::size_t>(begins[k]);
        const std::size_t end =
            k + 1 < begins.size() ? static_cast<std::size_t>(begins[k + 1]) : x.size();
        added_as<T> sum{};
        for (std::size_t i = begin; i < end; ++i) {
            const auto value = static_cast<added_as<T>>(x[i]);
            sum = i == begin ? value : sum + value;
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
    m.def("scan_lines", &scan_lines, py::arg("values"), py::arg("out"), py::arg("initial"),
          py::arg("is_exclusive"), py::arg("is_parallel"),
          R"(scan_lines(values, out, initial, is_exclusive, is_parallel)
--

Write the sums of ``initial``, an array of one value or none, and all values up to each index of the line
along the second axis to ``out``, of three dimensions, in order. Integers may be narrower than their sums.
Return False if an addition raised a floating-point error.)");
    m.def("add_up_pieces", &add_up_pieces, py::arg("values"), py::arg("begins"),
          R"(add_up_pieces(values, begins)
--

Replace each value by the sum of the values of its piece up to it. Pieces begin at ``begins``. Return False
if a sum is not finite: then NumPy may report floating-point errors.)");
}

}  // namespace pointsman::python
