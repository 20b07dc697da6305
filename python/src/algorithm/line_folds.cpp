// SPDX-License-Identifier: Apache-2.0
// Registers folds of lines by NumPy's own loops, in several threads and without the GIL.
#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cstddef>
#include <utility>
#include <vector>

#include "algorithm/line_fold.hpp"
#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/reported_errors.hpp"
#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {
namespace {

/// Folds along the second axis of values of the shape (`outer`, `length`, `inner`).
class line_folds {
  public:
    line_folds(line_fold fold, int reported, std::size_t size_bytes, std::size_t outer,
               std::size_t length, std::size_t inner)
        : fold_{std::move(fold)},
          reported_{reported},
          size_{size_bytes},
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
            fold_(values + (row * length_ * inner_ + column) * size_, length_,
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
            fold_(values + (row * length_ + first) * row_bytes, std::min(of_span, length_ - first),
                  inner_, folds.data() + i * row_bytes, first == 0);
        });
        for_each(outer_, spans * inner_, [&](std::size_t row) {
            fold_(folds.data() + row * spans * row_bytes, spans, inner_, out + row * row_bytes,
                  false);
        });
    }

    line_fold fold_;
    int reported_;
    std::size_t size_;
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
    const auto size_bytes = static_cast<std::size_t>(values.itemsize());
    const auto inner = static_cast<std::size_t>(values.shape(2));
    line_folds folds{
        line_fold{ufunc_loop{function, index}, size_bytes, initial, inner, most_at_once},
        reported_errors(reported),
        size_bytes,
        static_cast<std::size_t>(values.shape(0)),
        static_cast<std::size_t>(values.shape(1)),
        inner};
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
