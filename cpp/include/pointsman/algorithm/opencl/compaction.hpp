// SPDX-License-Identifier: Apache-2.0
// Copies selected values of an array on a device: a typed interface to engine::compaction.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/algorithm/opencl/engine/compaction.hpp"
#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"

namespace pointsman::detail {

/// Selects from the `count` values beginning at `first`, at least one, for an output array of `Out`.
/// **Throws**: `build_error`, `cl::Error`.
template <engine::kept_values Which, device_function Predicate, device_value Out,
          device_iterator In>
class compaction {
  public:
    compaction(const opencl::queue& where, In first, std::size_t count)
        : source_{where, first, count, device_values<In>::use::input},
          found_{where, text(), {source_.memory(), source_.offset()}, count} {}

    [[nodiscard]] std::size_t kept() const noexcept { return found_.kept(); }
    /// The input array.
    [[nodiscard]] device_values<In>& source() noexcept { return source_; }

    /// Enqueues the copy of the kept values to `out`, beginning at index `at`.
    void write(const cl::Buffer& out, cl_ulong at) const { found_.write({out, at}); }

  private:
    static const std::string& text() {
        using value = iterated_t<In>;
        static const std::string made = [] {
            const engine::element out = engine::element_of<Out>();
            if constexpr (Which == engine::kept_values::where_true) {
                return engine::compaction_text(expression_of<Predicate, value>(), Which, out);
            } else {
                return engine::compaction_text(expression_of<Predicate, value, value>(), Which,
                                               out);
            }
        }();
        return made;
    }

    device_values<In> source_;
    engine::compaction found_;
};

/// Copies those of the `count` values beginning at `first`, at least one, that `Which` and `Predicate` keep
/// to the range beginning at `out`, and returns its end.
template <engine::kept_values Which, device_function Predicate, device_iterator In,
          device_iterator Out>
Out copy_kept(const opencl::queue& where, In first, std::size_t count, Out out) {
    using outputs = device_values<Out>;
    return opencl::detail::translated([&] {
        const compaction<Which, Predicate, iterated_t<Out>, In> found{where, first, count};
        if (found.kept() != 0) {
            outputs to{where, out, found.kept(), outputs::use::output};
            found.write(to.memory(), to.offset());
            to.fetch();
        }
        return out + static_cast<std::ptrdiff_t>(found.kept());
    });
}

/// Selects those of the `count` values of `source`, at least one, of which an expression is true, for an
/// output array of `Out`. `others` are the arguments for the expression's other inputs and its constant;
/// they and `source` must outlive this object.
/// **Throws**: `build_error`, `cl::Error`.
template <device_value Out, device_iterator In>
class selected_values {
  public:
    /// `make` returns the expression; each type `Make` stands for one.
    template <class Make>
    selected_values(const opencl::queue& where, const device_values<In>& source, std::size_t count,
                    const Make& make, std::vector<opencl::kernel_argument> others = {})
        : found_{where, text(make), array_from(source), count, std::move(others)} {}

    [[nodiscard]] std::size_t kept() const noexcept { return found_.kept(); }
    /// Enqueues the copy of the kept values to `out`.
    void write(const engine::array& out) const { found_.write(out); }

  private:
    template <class Make>
    static const std::string& text(const Make& make) {
        static const std::string made = engine::compaction_text(
            make(), engine::kept_values::where_true, engine::element_of<Out>());
        return made;
    }

    engine::compaction found_;
};

/// Copies those of the `count` values beginning at `first`, at least one, of which the expression returned by
/// `make` is true to the range beginning at `out`, and returns its end.
template <device_iterator In, device_iterator Out, class Make>
Out copy_selected(const opencl::queue& where, In first, std::size_t count, Out out,
                  const Make& make, const std::vector<opencl::kernel_argument>& others = {}) {
    using outputs = device_values<Out>;
    return opencl::detail::translated([&] {
        const auto source = input_values(where, first, count);
        const selected_values<iterated_t<Out>, In> selected{where, source, count, make, others};
        if (selected.kept() != 0) {
            outputs to{where, out, selected.kept(), outputs::use::output};
            selected.write(array_from(to));
            to.fetch();
        }
        return out + static_cast<std::ptrdiff_t>(selected.kept());
    });
}

/// Moves those of the `count` values beginning at `first`, at least one, of which the expression returned by
/// `make` is true to the front, and returns the iterator past them.
template <device_iterator It, class Make>
It keep_selected(const opencl::queue& where, It first, std::size_t count, const Make& make,
                 const std::vector<opencl::kernel_argument>& others = {}) {
    using value = iterated_t<It>;
    return opencl::detail::translated([&] {
        auto values = input_values(where, first, count);
        const selected_values<value, It> selected{where, values, count, make, others};
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

/// Moves those of the `count` values beginning at `first`, at least one, for which `F` holds to the front,
/// keeps the order of both parts, and returns the beginning of the second.
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
