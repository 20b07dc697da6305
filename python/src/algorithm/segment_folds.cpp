// SPDX-License-Identifier: Apache-2.0
// Registers folds by segment by NumPy's own loops, in several threads and without the GIL.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cfenv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/reported_errors.hpp"
#include "algorithm/spans.hpp"
#include "algorithm/ufunc_loop.hpp"
#include "algorithm/wide_registers.hpp"

namespace pointsman::python {
namespace {

constexpr std::size_t at_once = 512;  // keys whose changes are found together

/// Writes for each of `count` keys whether it differs from the one before; `count` is at most `at_once`.
template <class Key>
struct find_changes {
    [[gnu::always_inline]] static void run(const Key* keys, std::size_t count,
                                           char* is_change) noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            is_change[i] = keys[i] != keys[i - 1] ? 1 : 0;
        }
    }
};

/// Returns the indices in [`first`, `last`) at which segments begin.
template <class Key>
std::vector<std::size_t> begins_in(const Key* keys, std::size_t first, std::size_t last) {
    using word = std::uint64_t;
    auto* const find = loop_for_processor<find_changes<Key>, const Key*, std::size_t, char*>();
    std::array<char, at_once> is_change{};
    std::array<std::size_t, at_once> found;
    std::vector<std::size_t> begins;
    if (first == 0) {
        begins.push_back(first++);
    }
    for (; first < last; first += at_once) {
        const std::size_t count = std::min(at_once, last - first);
        is_change.fill(0);
        find(keys + first, count, is_change.data());
        auto next = found.begin();
        for (std::size_t i = 0; i < count; i += sizeof(word)) {
            word changes = 0;
            std::memcpy(&changes, is_change.data() + i, sizeof(word));
            for (; changes != 0; changes &= changes - 1) {
                *next++ = first + i + static_cast<std::size_t>(std::countr_zero(changes)) / 8;
            }
        }
        begins.insert(begins.end(), found.begin(), next);
    }
    return begins;
}

/// Folds values of `size` bytes by a loop.
class fold {
  public:
    fold(const ufunc_loop& loop, const void* values, std::size_t size)
        : loop_{loop}, values_{static_cast<const char*>(values)}, size_{size} {}

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Writes the fold of the values with indices in [`first`, `last`), one at least, to `out`.
    void operator()(std::size_t first, std::size_t last, char* out) const {
        std::memcpy(out, values_ + first * size_, size_);
        add(values_ + (first + 1) * size_, last - first - 1, out);
    }

    /// Folds `count` values into `out`.
    void add(const void* values, std::size_t count, void* out) const {
        if (count > 0) {
            auto* const bytes = static_cast<char*>(const_cast<void*>(values));
            std::array<char*, 3> operands{static_cast<char*>(out), bytes, static_cast<char*>(out)};
            const std::array<std::ptrdiff_t, 3> steps{0, static_cast<std::ptrdiff_t>(size_), 0};
            loop_(operands.data(), static_cast<std::ptrdiff_t>(count), steps.data());
        }
    }

  private:
    const ufunc_loop& loop_;
    const char* values_;
    std::size_t size_;
};

/// Adds a few values up as NumPy's loop does, which takes longer to call, and leaves more of them to `folded`. Integers
/// wrap around.
template <class T>
class short_sum {
  public:
    short_sum(const fold& folded, const void* values)
        : folded_{folded}, values_{static_cast<const T*>(values)} {
        if constexpr (std::floating_point<T>) {
            folded_.add(&zero_, 1, &zero_);
            const std::array<T, most> probe{1, most, T{1} / most, -most, 3, T{1} / 3, -1};
            T total = T{1} / 7;
            folded_.add(probe.data(), most, &total);
            is_loops_ = total == T{1} / 7 + sum(probe.data(), most);
        }
    }

    void operator()(std::size_t first, std::size_t last, char* out) const {
        const std::size_t count = last - first - 1;
        if (count > most || !is_loops_) {
            folded_(first, last, out);
            return;
        }
        auto total = static_cast<added>(values_[first]);
        if (count > 0) {
            total += sum(values_ + first + 1, count);
        }
        std::memcpy(out, &total, sizeof(T));
    }

  private:
    using added = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>,
                                              std::type_identity<T>>::type;
    static constexpr int most = 7;  // values, as many as NumPy adds one after the other

    added sum(const T* values, std::size_t count) const noexcept {
        auto total = static_cast<added>(zero_);
        for (std::size_t i = 0; i < count; ++i) {
            total += static_cast<added>(values[i]);
        }
        return total;
    }

    const fold& folded_;
    const T* values_;
    T zero_ = -T{0};  // NumPy begins with it, or with 0.0 before 1.25
    bool is_loops_ = true;
};

/// Calls `call` with what folds segments of the values by the NumPy function `name`.
template <class Call>
void with_fold(const std::string& name, const fold& folded, const py::array& values,
               const Call& call) {
    const auto called = [&]<class... Ts>(types<Ts...>) {
        return ((has_type<Ts>(values) && (call(short_sum<Ts>{folded, values.data()}), true)) ||
                ...);
    };
    if (name != "add" || !called(types<float, double, std::int64_t, std::uint64_t>{})) {
        call(folded);
    }
}

/// The indices at which the segments of each span begin, and how many begin before it.
struct begins_of_spans {
    std::vector<std::vector<std::size_t>> begins;
    std::vector<std::size_t> before;

    template <class Key>
    begins_of_spans(const Key* keys, const spans& all)
        : begins(all.count()), before(all.count() + 1) {
        all.for_each([&](std::size_t span) {
            begins[span] = begins_in(keys, all.begin(span), all.end(span));
        });
        for (std::size_t span = 0; span < all.count(); ++span) {
            before[span + 1] = before[span] + begins[span].size();
        }
    }
};

/// Writes the first key and the fold of each segment. Returns false if a `reported` error occurred.
template <class Key, class Fold>
bool write_segments(const Key* keys, const spans& all, const begins_of_spans& segments,
                    const fold& folded, const Fold& fold_of, int reported, Key* firsts,
                    char* folds) {
    const std::size_t size = folded.size();
    std::vector<char> carried(all.count() * size);  // the folds of what belongs to earlier spans
    std::atomic<bool> has_failed{false};
    const auto is_open = [&](std::size_t span) {
        const auto& begins = segments.begins[span];
        return begins.empty() || begins.front() != all.begin(span);
    };
    all.for_each([&](std::size_t span) {
        std::feclearexcept(FE_ALL_EXCEPT);
        const auto& begins = segments.begins[span];
        if (is_open(span)) {
            fold_of(all.begin(span), begins.empty() ? all.end(span) : begins.front(),
                    carried.data() + span * size);
        }
        for (std::size_t i = 0; i < begins.size(); ++i) {
            const std::size_t segment = segments.before[span] + i;
            firsts[segment] = keys[begins[i]];
            fold_of(begins[i], i + 1 < begins.size() ? begins[i + 1] : all.end(span),
                    folds + segment * size);
        }
        if (std::fetestexcept(reported) != 0) {
            has_failed = true;
        }
    });
    std::feclearexcept(FE_ALL_EXCEPT);
    for (std::size_t span = 1; span < all.count(); ++span) {
        if (is_open(span)) {
            folded.add(carried.data() + span * size, 1, folds + (segments.before[span] - 1) * size);
        }
    }
    return !has_failed && std::fetestexcept(reported) == 0;
}

/// Calls `call` with the memory of keys, whose integers are compared as unsigned ones of their width.
template <class Call>
void with_keys(const py::array& keys, const Call& call) {
    const char kind = keys.dtype().kind();
    const auto with = [&]<class Key>(types<Key>) { call(static_cast<const Key*>(keys.data())); };
    switch (keys.itemsize()) {
        case 1:
            return with(types<std::uint8_t>{});
        case 2:
            return with(types<std::uint16_t>{});
        case 4:
            return kind == 'f' ? with(types<float>{}) : with(types<std::uint32_t>{});
        default:
            return kind == 'f' ? with(types<double>{}) : with(types<std::uint64_t>{});
    }
}

bool may_be_keys(const py::array& keys) {
    const char kind = keys.dtype().kind();
    const auto size = static_cast<std::size_t>(keys.itemsize());
    return kind == 'f' ? size == sizeof(float) || size == sizeof(double)
                       : (kind == 'b' || kind == 'i' || kind == 'u') && size <= sizeof(double);
}

py::object fold_segments(const py::object& function, std::size_t index, const py::array& keys,
                         const py::array& values, int reported, std::size_t of_span) {
    if (keys.ndim() != 1 || values.ndim() != 1 || keys.size() != values.size() ||
        keys.size() == 0 || !may_be_keys(keys) || !is_contiguous_and_aligned(keys) ||
        !is_contiguous_and_aligned(values)) {
        throw py::value_error{"pass contiguous arrays of one dimension, with a key for each value"};
    }
    const ufunc_loop loop{function, index};
    const fold folded{loop, values.data(), static_cast<std::size_t>(values.itemsize())};
    const spans all{static_cast<std::size_t>(keys.size()), std::max<std::size_t>(of_span, 1)};
    const bool is_parallel = all.count() > 1;
    py::array firsts, folds;
    bool fits = false;
    with_keys(keys, [&]<class Key>(const Key* first_key) {
        std::optional<begins_of_spans> segments;
        without_gil(is_parallel, [&] { segments.emplace(first_key, all); });
        const py::array::ShapeContainer shape{static_cast<py::ssize_t>(segments->before.back())};
        firsts = py::array{keys.dtype(), shape};
        folds = py::array{values.dtype(), shape};
        with_fold(function.attr("__name__").cast<std::string>(), folded, values,
                  [&](const auto& fold_of) {
                      auto* const to_keys = static_cast<Key*>(firsts.mutable_data());
                      auto* const to_folds = static_cast<char*>(folds.mutable_data());
                      without_gil(is_parallel, [&] {
                          fits = write_segments(first_key, all, *segments, folded, fold_of,
                                                reported_errors(reported), to_keys, to_folds);
                      });
                  });
    });
    return fits ? py::object{py::make_tuple(firsts, folds)} : py::object{py::none()};
}

}  // namespace

void register_segment_folds(py::module_& m) {
    m.def("fold_segments", &fold_segments, py::arg("function"), py::arg("loop"), py::arg("keys"),
          py::arg("values"), py::arg("reported"), py::arg("of_span"),
          R"(fold_segments(function, loop, keys, values, reported, of_span)
--

Return the first key of each run of equal keys, which are bool, integers, float32 or float64, and the fold
of its values, by the loop of that number of a NumPy function. Return None if one of the ``reported``
floating-point errors occurred, which are numbered as for a ``Program``.

of_span: the number of values that a thread takes at a time. What it folds of a segment that began
    before is folded in afterwards.)");
}

}  // namespace pointsman::python
