// SPDX-License-Identifier: Apache-2.0
// Registers the search for the greatest or least value of each line, in several threads and without the GIL.
#include <algorithm>
#include <cfenv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/wide_registers.hpp"
#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {
namespace {

enum class extreme { least, greatest };

/// The index of the first NaN among `count` values, one at least, or else of the first of the extreme ones.
template <class T, extreme Sought>
class first_extreme {
    static constexpr std::size_t width = 32, lanes = width / sizeof(T), registers = 4;
    static constexpr std::size_t few = 512;
    // A piece is read again once, from the L1 cache.
    static constexpr std::size_t of_piece = 2'048;
    using vector __attribute__((vector_size(width))) = T;

  public:
    [[gnu::always_inline]] static std::size_t run(const T* values, std::size_t count) noexcept {
        T best = values[0];
        std::size_t piece = 0;
        for (std::size_t begin = 0; begin < count; begin += of_piece) {
            const std::size_t end = std::min(count, begin + of_piece);
            bool has_nan = false;
            const T found = extreme_of(values + begin, end - begin, best, has_nan);
            if (has_nan) [[unlikely]] {
                const T* const nan = std::find_if(values + begin, values + end,
                                                  [](const T& each) { return each != each; });
                return static_cast<std::size_t>(nan - values);
            }
            if (is_before(found, best)) {
                best = found;
                piece = begin;
            }
        }
        if constexpr (sizeof(T) >= 4) {
            if (count <= few) {
                return first_equal_of_few(values, count, best);
            }
        }
        return first_equal(values, piece, count, best);
    }

    [[gnu::always_inline]] static bool is_before(T a, T b) noexcept {
        return Sought == extreme::greatest ? a > b : a < b;
    }

  private:
    /// The first index from `begin` on of a value that equals `sought`, which one does.
    [[gnu::always_inline]] static std::size_t first_equal(const T* values, std::size_t begin,
                                                          std::size_t count, T sought) noexcept {
        for (; begin + registers * lanes <= count; begin += registers * lanes) {
            decltype(vector{} == vector{}) is_equal{};
            for (std::size_t r = 0; r < registers; ++r) {
                vector now;
                std::memcpy(&now, values + begin + r * lanes, width);
                is_equal |= now == sought;
            }
            if (is_any_set(is_equal)) {
                break;
            }
        }
        return static_cast<std::size_t>(std::find(values + begin, values + count, sought) - values);
    }

    /// The same without branches, which a processor would mostly mispredict for short lines.
    [[gnu::always_inline]] static std::size_t first_equal_of_few(const T* values, std::size_t count,
                                                                 T sought) noexcept {
        using indices = decltype(vector{} == vector{});
        using index = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
        indices at{}, found{};
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            at[lane] = static_cast<index>(lane);
            found[lane] = static_cast<index>(count);
        }
        auto first = static_cast<index>(count);
        std::size_t begin = count / lanes * lanes;
        for (std::size_t i = count; i-- > begin;) {
            first = values[i] == sought ? static_cast<index>(i) : first;
        }
        while (begin > 0) {
            begin -= lanes;
            vector now;
            std::memcpy(&now, values + begin, width);
            found = now == sought ? at + static_cast<index>(begin) : found;
        }
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            first = found[lane] < first ? found[lane] : first;
        }
        return static_cast<std::size_t>(first);
    }

    [[gnu::always_inline]] static bool is_any_set(const auto& mask) noexcept {
        std::uint64_t words[width / sizeof(std::uint64_t)];
        std::memcpy(words, &mask, width);
        return (words[0] | words[1] | words[2] | words[3]) != 0;
    }

    /// The extreme of `count` values and `best`, which is no NaN.
    [[gnu::always_inline]] static T extreme_of(const T* values, std::size_t count, T best,
                                               bool& has_nan) noexcept {
        vector found[registers] = {};
        for (vector& each : found) {
            each += best;  // also -0.0 becomes a zero
        }
        decltype(found[0] != found[0]) nan{};
        const auto look = [&](const T* at, vector& extremes) {
            vector now;
            std::memcpy(&now, at, width);
            if constexpr (Sought == extreme::greatest) {
                extremes = now > extremes ? now : extremes;
            } else {
                extremes = now < extremes ? now : extremes;
            }
            if constexpr (std::floating_point<T>) {
                nan |= now != now;
            }
        };
        std::size_t i = 0;
        for (; i + registers * lanes <= count; i += registers * lanes) {
            for (std::size_t r = 0; r < registers; ++r) {
                look(values + i + r * lanes, found[r]);
            }
        }
        for (; i + lanes <= count; i += lanes) {
            look(values + i, found[0]);
        }
        if (i < count && lanes <= count) {
            look(values + count - lanes, found[1]);  // some of these once more
            i = count;
        }
        has_nan = is_any_set(nan);
        for (std::size_t r = 1; r < registers; ++r) {
            found[0] = Sought == extreme::greatest ? (found[r] > found[0] ? found[r] : found[0])
                                                   : (found[r] < found[0] ? found[r] : found[0]);
        }
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            best = is_before(found[0][lane], best) ? found[0][lane] : best;
        }
        for (; i < count; ++i) {
            has_nan = has_nan || values[i] != values[i];
            best = is_before(values[i], best) ? values[i] : best;
        }
        return best;
    }
};

/// Writes the index of the extreme of each line of `length` values to `out`.
template <extreme Sought, class T>
void write_indices(std::span<const T> values, std::size_t length, std::span<std::int64_t> out) {
    constexpr std::size_t of_span = 32'768;  // values that a thread takes at a time
    const auto find = loop_for_processor<first_extreme<T, Sought>, const T*, std::size_t>();
    const std::size_t spans = (length + of_span - 1) / of_span;
    std::vector<std::size_t> found(out.size() * spans);
    const std::size_t least = std::max(of_span / length, std::size_t{1});
    binding::in_threads(found.size(), least, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t first = i % spans * of_span;
            const T* const line = values.data() + i / spans * length;
            found[i] = first + find(line + first, std::min(of_span, length - first));
        }
        std::feclearexcept(FE_ALL_EXCEPT);  // which comparisons of NaN report
    });
    for (std::size_t row = 0; row < out.size(); ++row) {
        const T* const line = values.data() + row * length;
        std::size_t best = found[row * spans];
        for (std::size_t i = 1; i < spans && line[best] == line[best]; ++i) {
            const std::size_t next = found[row * spans + i];
            if (line[next] != line[next] ||
                first_extreme<T, Sought>::is_before(line[next], line[best])) {
                best = next;
            }
        }
        out[row] = static_cast<std::int64_t>(best);
    }
}

void extreme_indices(const py::array& values, bool is_greatest, const py::array& out) {
    with_values(read_only(numbers_but_half{}), values, [&]<class T>(std::span<const T> given) {
        const auto results = values_of<std::int64_t>(out);
        if (results.empty() || given.empty() || given.size() % results.size() != 0) {
            throw py::value_error{"pass lines of values, and an element of out for each"};
        }
        without_gil(true, [&] {
            const std::size_t length = given.size() / results.size();
            if (is_greatest) {
                write_indices<extreme::greatest, T>(given, length, results);
            } else {
                write_indices<extreme::least, T>(given, length, results);
            }
        });
    });
}

}  // namespace

void register_extreme_indices(py::module_& m) {
    m.def("extreme_indices", &extreme_indices, py::arg("values"), py::arg("is_greatest"),
          py::arg("out"),
          R"(extreme_indices(values, is_greatest, out)
--

Write the index of the first of the greatest values of each line, or of the least ones, to ``out``, in
threads; NaN is the greatest and the least. There are as many lines, of one length, as elements of ``out``.)");
}

}  // namespace pointsman::python
