// SPDX-License-Identifier: Apache-2.0
// Registers folds of lines by NumPy's own loops, in several threads and without the GIL.
#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/reported_errors.hpp"
#include "algorithm/ufunc_loop.hpp"
#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {
namespace {

/// Folds along the second axis of values of the shape (`outer`, `length`, `inner`).
class line_folds {
  public:
    line_folds(ufunc_loop loop, int reported, std::size_t most_at_once, std::size_t size_bytes,
               std::string initial, std::size_t outer, std::size_t length, std::size_t inner)
        : loop_{std::move(loop)},
          reported_{reported},
          most_at_once_{std::max(most_at_once, std::size_t{1})},
          size_{size_bytes},
          initial_{std::move(initial)},
          outer_{outer},
          length_{length},
          inner_{inner} {}

    /// Writes the folds to `out`, of the shape (`outer`, `inner`). Returns false if a `reported` error occurred.
    [[nodiscard]] bool write(const char* values, char* out) {
        if (inner_ == 1 || outer_ * inner_ >= many || length_ * inner_ <= span) {
            fold_lines(values, out);
        } else {
            fold_spans(values, out);
        }
        return !has_failed_;
    }

  private:
    static constexpr std::size_t span = 32'768;  // values that a thread folds at a time
    static constexpr std::size_t many = 4'096;   // lines that keep all threads busy

    /// Calls `work(i)` for each i below `count` in threads that take about `span` values at a time.
    template <class Work>
    void for_each(std::size_t count, std::size_t values_of_each, const Work& work) {
        const std::size_t grain =
            std::max(span / std::max<std::size_t>(values_of_each, 1), std::size_t{1});
        binding::in_threads(count, grain, [&](std::size_t begin, std::size_t end) {
            std::feclearexcept(FE_ALL_EXCEPT);
            for (std::size_t i = begin; i < end; ++i) {
                work(i);
            }
            if (std::fetestexcept(reported_) != 0) {
                has_failed_ = true;
            }
        });
    }

    /// In NumPy's order.
    void fold_lines(const char* values, char* out) {
        constexpr std::size_t least = 64, most = 2'048;  // lines side by side, of whole cache lines
        const std::size_t width =
            std::min(inner_, std::clamp(outer_ * inner_ / 64 / least * least, least, most));
        const std::size_t parts = (inner_ + width - 1) / width;
        for_each(outer_ * parts, length_ * width, [&](std::size_t i) {
            const std::size_t row = i / parts, column = i % parts * width;
            fold(values + (row * length_ * inner_ + column) * size_, length_,
                 std::min(width, inner_ - column), out + (row * inner_ + column) * size_, true);
        });
    }

    /// Folds spans of the lines, whose ends depend on the shape alone, and then their folds.
    void fold_spans(const char* values, char* out) {
        const std::size_t of_span = std::max(span / inner_, std::size_t{2});
        const std::size_t spans = (length_ + of_span - 1) / of_span;
        const std::size_t row_bytes = inner_ * size_;
        std::vector<char> folds(outer_ * spans * row_bytes);
        for_each(outer_ * spans, of_span * inner_, [&](std::size_t i) {
            const std::size_t row = i / spans, first = i % spans * of_span;
            fold(values + (row * length_ + first) * row_bytes, std::min(of_span, length_ - first),
                 inner_, folds.data() + i * row_bytes, first == 0);
        });
        for_each(outer_, spans * inner_, [&](std::size_t row) {
            fold(folds.data() + row * spans * row_bytes, spans, inner_, out + row * row_bytes,
                 false);
        });
    }

    /// Folds the first `width` columns of `length` rows.
    void fold(const char* rows, std::size_t length, std::size_t width, char* out,
              bool begins) const {
        const bool has_initial = begins && !initial_.empty();
        const std::size_t row_bytes = inner_ * size_;
        const auto step = static_cast<std::ptrdiff_t>(size_);
        if (inner_ == 1) {
            std::memcpy(out, has_initial ? initial_.data() : rows, size_);
            for (std::size_t i = has_initial ? 0 : 1, end = 0; i < length; i = end) {
                end = std::min(length, (i / most_at_once_ + 1) * most_at_once_);
                apply(out, rows + i * size_, out, end - i, {0, step, 0});
            }
            return;
        }
        if (has_initial) {
            apply(initial_.data(), rows, out, width, {0, step, step});
        } else {
            std::memcpy(out, rows, width * size_);
        }
        for (std::size_t i = 1; i < length; ++i) {
            apply(out, rows + i * row_bytes, out, width, {step, step, step});
        }
    }
    void apply(const char* a, const char* b, char* out, std::size_t count,
               const std::array<std::ptrdiff_t, 3>& steps) const {
        std::array<char*, 3> operands{const_cast<char*>(a), const_cast<char*>(b), out};
        loop_(operands.data(), static_cast<std::ptrdiff_t>(count), steps.data());
    }

    ufunc_loop loop_;
    int reported_;
    std::size_t most_at_once_;
    std::size_t size_;
    std::string initial_;
    std::size_t outer_;
    std::size_t length_;
    std::size_t inner_;
    std::atomic<bool> has_failed_{false};
};

bool fold_lines(const py::object& function, std::size_t index, const py::array& values,
                const py::bytes& initial, const py::array& out, int reported,
                std::size_t most_at_once) {
    if (values.ndim() != 3 || out.ndim() != 2 || out.shape(0) != values.shape(0) ||
        out.shape(1) != values.shape(2) || values.shape(1) < 1 ||
        out.itemsize() != values.itemsize() || !out.writeable() ||
        !is_contiguous_and_aligned(values) || !is_contiguous_and_aligned(out)) {
        throw py::value_error{
            "pass contiguous arrays of the shapes (outer, n, inner) and (outer, inner)"};
    }
    line_folds folds{ufunc_loop{function, index},
                     reported_errors(reported),
                     most_at_once,
                     static_cast<std::size_t>(values.itemsize()),
                     std::string{initial},
                     static_cast<std::size_t>(values.shape(0)),
                     static_cast<std::size_t>(values.shape(1)),
                     static_cast<std::size_t>(values.shape(2))};
    bool fits = false;
    without_gil(true, [&] {
        fits = folds.write(static_cast<const char*>(values.data()),
                           static_cast<char*>(const_cast<void*>(out.data())));
    });
    return fits;
}

}  // namespace

void register_line_folds(py::module_& m) {
    m.def("fold_lines", &fold_lines, py::arg("function"), py::arg("loop"), py::arg("values"),
          py::arg("initial"), py::arg("out"), py::arg("reported"), py::arg("most_at_once"),
          R"(fold_lines(function, loop, values, initial, out, reported, most_at_once)
--

Fold along the second of three axes in threads, by the loop of that number of a NumPy function, and
return False if one of the ``reported`` floating-point errors occurred, which are numbered as for a
``Program``.

most_at_once: the most values of a line that a call of the loop folds.
initial: the bytes of what each fold begins with; empty for the first of its values.
out: for the folds, of the shape of the first and the third axis. Lines side by side that are long and few
    are folded in spans, whose ends depend on the shape alone; all others in NumPy's order.)");
}

}  // namespace pointsman::python
