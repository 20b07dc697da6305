// SPDX-License-Identifier: Apache-2.0
// Counts the values between given edges, in several threads and without the GIL.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "algorithm/bin_counters.hpp"
#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/wide_registers.hpp"

namespace pointsman::python {
namespace {

constexpr std::size_t most_bins = 65'536;

/// Bins between edges that do not fall. An edge belongs to the bin that begins there, the last one to the last bin.
///
/// The place of a value, from 0 at the first edge to `count()` at the last, never falls where the value rises. If the
/// places of all edges differ from their indices by at most a slack below 0.5, the bins are even. The bin of a value
/// then ends or begins at the edge nearest to its place, and is known without that edge if the place is further than
/// the slack from whole numbers.
template <class E>
class edged_bins {
  public:
    /// edges: at least two that do not fall and are not NaN.
    explicit edged_bins(std::span<const E> edges)
        : count_{edges.size() - 1},
          last_{edges.back()},
          scale_{static_cast<E>(count_) / (last_ - edges.front())},
          begins_(edges.begin(), edges.end() - 1) {
        E slack{0};
        for (std::size_t i = 0; i <= count_; ++i) {
            const E distance = std::fabs((edges[i] - edges.front()) * scale_ - static_cast<E>(i));
            is_even_ = is_even_ && distance < E{0.5};  // false if it is NaN
            slack = std::max(slack, distance);
        }
        certain_ = E{0.5} - 2 * slack - 4 * std::numeric_limits<E>::epsilon();
        begins_.resize(std::max(count_ + 2, std::bit_ceil(count_)),
                       std::numeric_limits<E>::quiet_NaN());
    }

    [[nodiscard]] bool is_even() const noexcept { return is_even_; }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    [[nodiscard]] E first() const noexcept { return begins_[0]; }
    [[nodiscard]] E last() const noexcept { return last_; }
    [[nodiscard]] E scale() const noexcept { return scale_; }
    /// How far from the middle between two whole numbers a place may be for the bin to be certain: less than 0.5 by
    /// more than the slack. Negative if no bin is certain.
    [[nodiscard]] E certain() const noexcept { return certain_; }
    /// The first edge of each bin, followed by NaN, which no value reaches: two at least, and up to a power of two.
    [[nodiscard]] const E* begins() const noexcept { return begins_.data(); }

  private:
    std::size_t count_;
    E last_;
    E scale_;
    std::vector<E> begins_;
    bool is_even_ = true;
    E certain_ = 0;
};

/// The place of a value in even bins, or in the middle of one bin more if the value is in none.
template <class E>
class place_in_bins {
  public:
    [[gnu::always_inline]] explicit place_in_bins(const edged_bins<E>& bins) noexcept
        : first_{bins.first()},
          last_{bins.last()},
          scale_{bins.scale()},
          nowhere_{std::bit_cast<bits>(static_cast<E>(bins.count()) + E{0.5})} {}

    /// By masks, as compilers compute no branch for all values of a vector.
    [[gnu::always_inline]] E operator()(E value) const noexcept {
        const bits is_in = mask(value >= first_) & mask(value <= last_);
        const E place = (value - first_) * scale_;
        return std::bit_cast<E>((std::bit_cast<bits>(place) & is_in) | (nowhere_ & ~is_in));
    }

    using bits = std::conditional_t<sizeof(E) == 4, std::uint32_t, std::uint64_t>;
    [[gnu::always_inline]] static bits mask(bool is_set) noexcept {
        return is_set ? ~bits{0} : bits{0};
    }

  private:
    E first_, last_, scale_;
    bits nowhere_;
};

/// Writes the index of the bin of each value, for even bins: compares it with the edge nearest to its place.
template <class E>
struct indices_by_nearest_edge {
    [[gnu::always_inline]] static void run(const E* values, std::size_t count,
                                           const edged_bins<E>* bins, bin_index* out) noexcept {
        const place_in_bins<E> place_of{*bins};
        const E* const begins = bins->begins();
        for (std::size_t i = 0; i < count; ++i) {
            const auto nearest = static_cast<std::int32_t>(place_of(values[i]) + E{0.5});
            out[i] = static_cast<bin_index>(nearest - (values[i] >= begins[nearest] ? 0 : 1));
        }
    }
};

/// The same in half of the time, unless some values are near edges.
template <class E>
struct indices_by_place {
    [[gnu::always_inline]] static void run(const E* values, std::size_t count,
                                           const edged_bins<E>* bins, bin_index* out) noexcept {
        const place_in_bins<E> place_of{*bins};
        const E certain = bins->certain();
        typename place_in_bins<E>::bits uncertain = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const E place = place_of(values[i]);
            const auto index = static_cast<std::int32_t>(place);
            const E from_middle = std::fabs(place - static_cast<E>(index) - E{0.5});
            uncertain |= place_in_bins<E>::mask(!(from_middle < certain));
            out[i] = static_cast<bin_index>(index);
        }
        if (uncertain != 0) {
            indices_by_nearest_edge<E>::run(values, count, bins, out);
        }
    }
};

/// Writes the index of the bin of each value by a binary search, a step for all values at a time.
template <class E>
struct indices_by_search {
    [[gnu::always_inline]] static void run(const E* values, std::size_t count,
                                           const edged_bins<E>* bins, bin_index* out) noexcept {
        const E first = bins->first(), last = bins->last();
        const E* const begins = bins->begins();
        const auto bin_count = static_cast<bin_index>(bins->count());
        std::fill_n(out, count, bin_index{0});
        for (bin_index step = std::bit_ceil(bin_count) / 2; step != 0; step /= 2) {
            for (std::size_t i = 0; i < count; ++i) {
                out[i] += values[i] >= begins[out[i] + step] ? step : 0;
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            const bool is_in = (values[i] >= first) & (values[i] <= last);
            out[i] = is_in ? out[i] : bin_count;
        }
    }
};

template <class T, class E>
struct conversion {
    [[gnu::always_inline]] static void run(const T* values, std::size_t count, E* out) noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = static_cast<E>(values[i]);
        }
    }
};

template <class E>
using index_loop = void (*)(const E*, std::size_t, const edged_bins<E>*, bin_index*) noexcept;

/// The fastest loop for values that were of type `T`. Among a thousand integers, some are on edges.
template <class T, class E>
index_loop<E> index_loop_of(const edged_bins<E>& bins) noexcept {
    const auto loop = []<class Loop>(std::type_identity<Loop>) {
        return loop_for_processor<Loop, const E*, std::size_t, const edged_bins<E>*, bin_index*>();
    };
    if (!bins.is_even()) {
        return loop(std::type_identity<indices_by_search<E>>{});
    }
    return std::is_integral_v<T> ? loop(std::type_identity<indices_by_nearest_edge<E>>{})
                                 : loop(std::type_identity<indices_by_place<E>>{});
}

template <class T, class E>
void count_between(std::span<const T> values, const edged_bins<E>& bins,
                   std::span<std::int64_t> counts, bool is_parallel) {
    const auto indices = index_loop_of<T>(bins);
    const auto convert = loop_for_processor<conversion<T, E>, const T*, std::size_t, E*>();
    count_by_index(values.size(), counts, is_parallel,
                   [&](std::size_t begin, std::size_t count, bin_index* out) {
                       const T* const given = values.data() + begin;
                       if constexpr (std::is_same_v<T, E>) {
                           indices(given, count, &bins, out);
                       } else {
                           std::array<E, 1024> converted;
                           convert(given, count, converted.data());
                           indices(converted.data(), count, &bins, out);
                       }
                   });
}

/// Values of a byte are counted first: there are only 256 different ones.
template <class T>
void count_bytes_between(std::span<const T> values, const edged_bins<double>& bins,
                         std::span<std::int64_t> counts, bool is_parallel) {
    std::array<std::int64_t, 256> found{};
    count_by_index(values.size(), found, is_parallel,
                   [&](std::size_t begin, std::size_t count, bin_index* out) {
                       std::transform(values.data() + begin, values.data() + begin + count, out,
                                      [](T value) { return static_cast<std::uint8_t>(value); });
                   });
    std::array<double, 256> different;
    for (std::size_t i = 0; i < different.size(); ++i) {
        different[i] = static_cast<double>(static_cast<T>(i));
    }
    std::array<bin_index, 256> indices;
    index_loop_of<T>(bins)(different.data(), different.size(), &bins, indices.data());
    for (std::size_t i = 0; i < different.size(); ++i) {
        if (indices[i] < counts.size()) {
            counts[indices[i]] += found[i];
        }
    }
}

/// Returns true if numpy.histogram puts values between ends that are `width` apart into the bins between these edges.
///
/// NumPy estimates the bin of a value from its distance to the first edge, and corrects it by one if the value is not
/// between the edges. The estimate never falls where the value rises: it is right or one off if that of each edge is
/// less than one off. Here that is at most 0.4, and as much again where NumPy's ends are rounded like the edges, plus
/// the rounding errors of NumPy's operations, which are below 0.1 for so few bins unless a distance overflows.
template <class E>
bool are_numpys(std::span<const E> edges, double width) {
    if (!(width <= std::numeric_limits<E>::max() / 2)) {
        return false;
    }
    const double first = edges.front(), scale = static_cast<double>(edges.size() - 1) / width;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const double place = (static_cast<double>(edges[i]) - first) * scale;
        if (!(std::fabs(place - static_cast<double>(i)) <= 0.4)) {
            return false;
        }
    }
    return true;
}

template <class T, class E>
bool count_values(std::span<const T> values, const py::array& bounds,
                  std::span<std::int64_t> counts, double width, bool is_parallel) {
    const auto edges = values_of<const E>(bounds);
    if (edges.size() != counts.size() + 1 || counts.empty() || counts.size() > most_bins) {
        throw py::value_error{"pass 1 to 65,536 counts, and one more edge"};
    }
    if (std::ranges::adjacent_find(edges, [](E a, E b) { return !(a <= b); }) != edges.end() ||
        (width != 0 && !are_numpys(edges, width))) {
        return false;
    }
    const edged_bins<E> bins{edges};  // before other threads may change the edges
    without_gil(is_parallel, [&] {
        std::ranges::fill(counts, 0);
        if constexpr (sizeof(T) == 1) {
            count_bytes_between(values, bins, counts, is_parallel);
        } else {
            count_between(values, bins, counts, is_parallel);
        }
    });
    return true;
}

bool histogram(const py::array& values, const py::array& edges, const py::array& counts,
               double width, bool is_parallel) {
    bool has_counted = false;
    with_values(read_only(numbers_but_half{}), values, [&]<class T>(std::span<const T> given) {
        const auto total = values_of<std::int64_t>(counts);
        if constexpr (std::is_same_v<T, float>) {
            if (has_type<float>(edges)) {
                has_counted = count_values<T, float>(given, edges, total, width, is_parallel);
                return;
            }
        }
        has_counted = count_values<T, double>(given, edges, total, width, is_parallel);
    });
    return has_counted;
}

}  // namespace

void register_histogram(py::module_& m) {
    m.def("histogram", &histogram, py::arg("values"), py::arg("edges"), py::arg("counts"),
          py::arg("width"), py::arg("is_parallel"),
          R"(histogram(values, edges, counts, width, is_parallel)
--

Write the number of values between each two ``edges``, of float64, or of float32 for such values, to
``counts``, of int64. An edge belongs to the bin that begins there, the last one to the last bin.

width: 0, or the difference of the ends of bins that numpy.histogram divides evenly.

Return False, with nothing written, if edges fall or are NaN, and if NumPy could count otherwise.)");
}

}  // namespace pointsman::python
