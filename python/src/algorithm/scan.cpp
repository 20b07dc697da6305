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
#include "algorithm/wide_registers.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {
namespace {

/// The type in which values of type `T` are added: integers wrap around.
template <class T>
using added_as = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;

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

/// Lines whose prefix sums are written, in order. `inner` lines lie side by side: the values of one have this distance.
template <class In, class Out>
struct line_sums {
    const In* in;
    Out* out;
    std::size_t length;  ///< of a line, one at least
    std::size_t inner;
    const Out* initial;  ///< null if there is none
    bool is_exclusive;

    /// What the values `in` of a line begin with.
    [[nodiscard]] added_as<Out> first(const In& value) const noexcept {
        const auto first = static_cast<added_as<Out>>(value);
        return initial == nullptr ? first : static_cast<added_as<Out>>(*initial) + first;
    }
};

/// Writes the sums of `Count` lines, of which the first values are `apart` values from each other, and those of a line
/// `Step`: each addition waits for the one before, so the processor does those of other lines meanwhile.
template <std::size_t Count, std::size_t Step, class In, class Out>
void add_up_together(const line_sums<In, Out>& lines, std::size_t begin, std::size_t apart) {
    using added = added_as<Out>;
    const In* const in = lines.in + begin;
    Out* const out = lines.out + begin;
    added sums[Count];
    for (std::size_t each = 0; each < Count; ++each) {
        sums[each] =
            lines.is_exclusive ? static_cast<added>(*lines.initial) : lines.first(in[each * apart]);
        out[each * apart] = static_cast<Out>(sums[each]);
    }
    const std::size_t behind = lines.is_exclusive ? 1 : 0;
    for (std::size_t i = 1; i < lines.length; ++i) {
        for (std::size_t each = 0; each < Count; ++each) {
            sums[each] += static_cast<added>(in[each * apart + (i - behind) * Step]);
            out[each * apart + i * Step] = static_cast<Out>(sums[each]);
        }
    }
}

/// Writes the sums of the lines [`begin`, `end`) of those that lie side by side.
template <class In, class Out>
struct column_sums {
    [[gnu::always_inline]] static void run(const line_sums<In, Out>* lines, std::size_t begin,
                                           std::size_t end) noexcept {
        using added = added_as<Out>;
        const std::size_t inner = lines->inner;
        const In* in = lines->in;
        Out* out = lines->out;
        for (std::size_t at = begin; at < end; ++at) {
            out[at] =
                lines->is_exclusive ? *lines->initial : static_cast<Out>(lines->first(in[at]));
        }
        if (!lines->is_exclusive) {
            in += inner;
        }
        for (std::size_t i = 1; i < lines->length; ++i, in += inner, out += inner) {
            const In* const values = in;
            const Out* const sums = out;
            Out* __restrict next = out + inner;
            for (std::size_t at = begin; at < end; ++at) {
                next[at] =
                    static_cast<Out>(static_cast<added>(sums[at]) + static_cast<added>(values[at]));
            }
        }
    }
};

/// Calls `add_up(begin, end)` for parts of [0, `count`), of `grain` at least if they are shared among threads. Returns
/// false if it raised a floating-point error.
template <class AddUp>
bool add_up_lines(std::size_t count, std::size_t grain, bool is_parallel, const AddUp& add_up) {
    std::atomic<bool> has_failed{false};
    const auto add_up_asked = [&](std::size_t begin, std::size_t end) {
        std::feclearexcept(FE_ALL_EXCEPT);
        add_up(begin, end);
        if (std::fetestexcept(FE_OVERFLOW | FE_INVALID) != 0) {
            std::feclearexcept(FE_ALL_EXCEPT);
            has_failed = true;
        }
    };
    without_gil(is_parallel, [&] {
        if (is_parallel) {
            binding::in_threads(count, grain, add_up_asked);
        } else {
            add_up_asked(0, count);
        }
    });
    return !has_failed;
}

constexpr std::size_t least_of_thread = 16'384;  // values

template <class In, class Out>
bool scan_rows(const line_sums<In, Out>& lines, std::size_t rows, bool is_parallel) {
    constexpr std::size_t at_once = 4;
    const std::size_t grain = std::max(least_of_thread / lines.length, at_once);
    return add_up_lines(rows, grain, is_parallel, [&](std::size_t row, std::size_t end) {
        for (; row + at_once <= end; row += at_once) {
            add_up_together<at_once, 1>(lines, row * lines.length, lines.length);
        }
        for (; row < end; ++row) {
            add_up_together<1, 1>(lines, row * lines.length, lines.length);
        }
    });
}

/// Writes the sums of tables of `Columns` lines that lie side by side.
template <std::size_t Columns, class In, class Out>
bool scan_narrow(const line_sums<In, Out>& lines, std::size_t outer, bool is_parallel) {
    const std::size_t table = lines.length * Columns;
    const std::size_t grain = std::max(least_of_thread / table, std::size_t{1});
    return add_up_lines(outer, grain, is_parallel, [&](std::size_t at, std::size_t end) {
        for (; at < end; ++at) {
            add_up_together<Columns, Columns>(lines, at * table, 1);
        }
    });
}

template <class In, class Out>
bool scan_columns(const line_sums<In, Out>& lines, std::size_t outer, bool is_parallel) {
    switch (lines.inner) {  // registers hold the sums of few lines
        case 2:
            return scan_narrow<2>(lines, outer, is_parallel);
        case 3:
            return scan_narrow<3>(lines, outer, is_parallel);
        case 4:
            return scan_narrow<4>(lines, outer, is_parallel);
        default:
            break;
    }
    constexpr std::size_t most = 2'048;  // lines, of which two rows fit in the L1 cache
    constexpr std::size_t least = 384 / sizeof(Out);   // neighbours that are read at full speed
    constexpr std::size_t of_line = 64 / sizeof(Out);  // of the cache
    const std::size_t of_thread = 8 * least_of_thread / lines.length;
    const std::size_t blocks = std::max(
        lines.inner / (is_parallel ? std::clamp(of_thread, least, most) : most), std::size_t{1});
    const std::size_t block = (lines.inner / blocks / of_line + 1) * of_line;
    const auto write = loop_for_processor<column_sums<In, Out>, const line_sums<In, Out>*,
                                          std::size_t, std::size_t>();
    const std::size_t table = lines.length * lines.inner;
    const std::size_t grain = std::max(8 * least_of_thread / table, std::size_t{1});
    return add_up_lines(outer * blocks, grain, is_parallel, [&](std::size_t at, std::size_t end) {
        for (; at < end; ++at) {
            line_sums<In, Out> of_block = lines;
            of_block.in += at / blocks * table;
            of_block.out += at / blocks * table;
            const std::size_t begin = at % blocks * block;
            write(&of_block, begin, std::min(begin + block, lines.inner));
        }
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
