// SPDX-License-Identifier: Apache-2.0
// Copies selected values of an array on a device: a typed interface to engine::compaction.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/algorithm/opencl/engine/compaction.hpp"
#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"

namespace pointsman::detail {

/// Selects values of an array for an output array of `Out`: those for which an expression is true, or the
/// first of each run of values for which it is true of neighbours. `count` is at least one. `others` are the
/// arguments for the expression's other inputs and its constant; they and `source` must outlive this object.
/// **Throws**: `build_error`, `cl::Error`.
template <device_value Out, device_iterator In,
          engine::kept_values Which = engine::kept_values::where_true>
class selected_values {
    static_assert(converts_on_device<iterated_t<In>, Out>,
                  "the values of a zip_iterator are copied to a zip_iterator of as many iterators, "
                  "and numbers are not: pass another output");

  public:
    /// `make` returns the expression; each type `Make` stands for one.
    template <class Make>
    selected_values(const opencl::queue& where, const device_values<In>& source, std::size_t count,
                    const Make& make, std::vector<opencl::kernel_argument> others = {})
        : found_{where, text(where, make), array_from(source), count, std::move(others)} {}

    [[nodiscard]] std::size_t kept() const noexcept { return found_.kept(); }
    /// Enqueues the copy of the kept values to `out`.
    void write(const engine::array& out) const { found_.write(out); }

  private:
    template <class Make>
    static const std::string& text(const opencl::queue& where, const Make& make) {
        static text_cache<std::pair<bool, std::size_t>> texts;
        return texts.get({where.items_work_alone(), group_size(where)}, [&] {
            return engine::compaction_text(where, make(), Which, engine::element_of<Out>());
        });
    }

    engine::compaction found_;
};

/// Copies the values that `selected_values` selects from the `count` values beginning at `first` to the range
/// beginning at `out`, and returns its end. `make` returns the expression.
template <engine::kept_values Which = engine::kept_values::where_true, device_iterator In,
          device_iterator Out, class Make>
Out copy_selected(const opencl::queue& where, In first, std::size_t count, Out out,
                  const Make& make, const std::vector<opencl::kernel_argument>& others = {}) {
    using outputs = device_values<Out>;
    return opencl::detail::translated([&] {
        const auto source = input_values(where, first, count);
        const selected_values<iterated_t<Out>, In, Which> selected{where, source, count, make,
                                                                   others};
        if (selected.kept() != 0) {
            outputs to{where, out, selected.kept(), outputs::use::output};
            selected.write(array_from(to));
            to.fetch();
        }
        return out + static_cast<std::ptrdiff_t>(selected.kept());
    });
}

/// Like `copy_selected`, but moves the selected values to the front, and returns the iterator past them.
template <engine::kept_values Which = engine::kept_values::where_true, device_iterator It,
          class Make>
It keep_selected(const opencl::queue& where, It first, std::size_t count, const Make& make,
                 const std::vector<opencl::kernel_argument>& others = {}) {
    using value = iterated_t<It>;
    return opencl::detail::translated([&] {
        auto values = input_values(where, first, count);
        const selected_values<value, It, Which> selected{where, values, count, make, others};
        if (selected.kept() != 0) {
            const std::size_t size_bytes = selected.kept() * sizeof(value);
            const opencl::pooled_buffer scratch = where.take_buffer(size_bytes);
            selected.write({scratch.handle(), 0});
            engine::enqueue_copy(where, {scratch.handle(), 0},
                                 {values.memory(), values.offset() * sizeof(value)}, size_bytes);
            values.fetch();
        }
        return first + static_cast<std::ptrdiff_t>(selected.kept());
    });
}

/// Moves the values for which `F` holds, of the `count` values beginning at `first`, to the front, keeps the
/// order of both parts, and returns the beginning of the second. `count` is at least one.
template <device_function F, device_iterator It>
It partition_on_device(const opencl::queue& where, It first, std::size_t count) {
    using value = iterated_t<It>;
    return opencl::detail::translated([&] {
        auto values = input_values(where, first, count);
        const selected_values<value, It> front{where, values, count,
                                               [] { return expression_of<F, value>(); }};
        const selected_values<value, It> back{where, values, count,
                                              [] { return fails<F, value>(); }};
        const std::size_t size_bytes = count * sizeof(value);
        const opencl::pooled_buffer scratch = where.take_buffer(size_bytes);
        front.write({scratch.handle(), 0});
        back.write({scratch.handle(), front.kept()});
        engine::enqueue_copy(where, {scratch.handle(), 0},
                             {values.memory(), values.offset() * sizeof(value)}, size_bytes);
        values.fetch();
        return first + static_cast<std::ptrdiff_t>(front.kept());
    });
}

}  // namespace pointsman::detail
