// SPDX-License-Identifier: Apache-2.0
// Folds the values of an expression on a device, for types known only at run time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/reduction.hpp"
#include "pointsman/algorithm/opencl/engine/expression.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail::engine {

/// How values are folded: as the OpenCL type `type`, by the function `name`, which `functions` defines.
/// Partial results are stored for the host as the OpenCL type `partial`.
struct folding {
    std::string functions;
    std::string name;
    std::string type;
    std::string partial;
    bool wants_lanes = true;  ///< false if compilers vectorise the plain loop better
};

/// The kernel that folds the values of an expression.
/// **Thread safety**: any member from any thread.
class reduction {
  public:
    reduction(expression computed, folding how)
        : computed_{std::move(computed)},
          how_{std::move(how)},
          width_{pack_width_of(computed_)},
          text_{text(width_)} {}

    /// Folds the values of `n` indices, at least one, to a `T`. The host folds the partial results of the
    /// device, which are of type `Partial`, by `f`. `constant` is the value of `constant_value` if the
    /// expression has one.
    /// **Throws**: `build_error`, `cl::Error`, `opencl::error`.
    template <class T, class Partial = T, class F>
    [[nodiscard]] T fold(const opencl::queue& where, std::span<const array> inputs, cl_ulong n,
                         const F& f, std::span<const opencl::kernel_argument> constant = {}) const {
        std::vector<Partial> partials;
        const opencl::pooled_buffer folds = enqueue(where, inputs, n, constant, partials);
        where.handle().enqueueReadBuffer(folds.handle(), CL_TRUE, 0,
                                         partials.size() * sizeof(Partial), partials.data());
        return fold_partials<T>(partials, f);
    }

    /// Starts like `fold`, and to copy the partial results to `partials`, which must outlive the command of
    /// the returned event.
    template <class Partial>
    [[nodiscard]] opencl::event start(const opencl::queue& where, std::span<const array> inputs,
                                      cl_ulong n, std::vector<Partial>& partials) const {
        const opencl::pooled_buffer folds = enqueue(where, inputs, n, {}, partials);
        return where.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
            commands.enqueueReadBuffer(folds.handle(), CL_FALSE, 0,
                                       partials.size() * sizeof(Partial), partials.data(), nullptr,
                                       done);
        });
    }

    /// Folds the copied results of the device.
    template <class T, class Partial, class F>
    [[nodiscard]] static T fold_partials(const std::vector<Partial>& partials, const F& f) {
        return fold_pairwise<T>(
            0, partials.size(), [&](std::size_t i) { return static_cast<T>(partials[i]); }, f);
    }

  private:
    static constexpr cl_ulong part_of_item = 16'384;  // values: 1024 roundings in each lane

    /// Enqueues the kernel. Returns its results, and gives `partials` room for a copy of them.
    template <class Partial>
    [[nodiscard]] opencl::pooled_buffer enqueue(const opencl::queue& where,
                                                std::span<const array> inputs, cl_ulong n,
                                                std::span<const opencl::kernel_argument> constant,
                                                std::vector<Partial>& partials) const {
        const bool alone = where.items_work_alone();
        const std::size_t width = pack_width(width_, inputs);
        const std::size_t folds = alone ? (n + part_of_item - 1) / part_of_item
                                        : sharing_groups(where, std::max(n / width, n % width));
        partials.resize(folds);
        opencl::pooled_buffer scratch = where.take_buffer(folds * sizeof(Partial));
        auto arguments = arguments_for(inputs);
        arguments.insert(arguments.end(), constant.begin(), constant.end());
        arguments.emplace_back(scratch.handle());
        if (alone) {
            arguments.insert(arguments.end(), {n, part_of_item});
            launch_items(where, text_, "fold_part", folds, arguments);
        } else {
            const cl::LocalSpaceArg local =
                cl::Local(group_size(where) * std::max(sizeof(cl_ulong), sizeof(Partial)));
            arguments.insert(arguments.end(), {local, n});
            launch(where, width == width_ ? text_ : text(width), "fold", folds, arguments);
        }
        return scratch;
    }

    [[nodiscard]] std::string text(std::size_t width) const {
        const std::size_t each = std::clamp(16 / width, std::size_t{1}, std::size_t{4});
        return program_text({with_functions(how_.functions, computed_)},
                            expression_text(computed_, how_.type, width) +
                                definitions({{"EACH", std::to_string(each)},
                                             {"folded_t", how_.type},
                                             {"partial_t", how_.partial},
                                             {"F", how_.name},
                                             {"WANTS_LANES", how_.wants_lanes ? "1" : "0"}}) +
                                kernels::reduction);
    }

    expression computed_;
    folding how_;
    std::size_t width_;
    std::string text_;
};

/// Counts the indices at which an expression is true.
class counting {
  public:
    explicit counting(expression predicate)
        : fold_{with_value(std::move(predicate), " ? 1 : 0"),
                // A group counts fewer than 2^32 values; a register holds more uint than ulong.
                {plus::opencl_source(), std::string{plus::opencl_name()}, "uint", "uint", false}} {}

    [[nodiscard]] std::uint64_t count(
        const opencl::queue& where, std::span<const array> inputs, cl_ulong n,
        std::span<const opencl::kernel_argument> constant = {}) const {
        return fold_.fold<std::uint64_t, std::uint32_t>(where, inputs, n, plus{}, constant);
    }

    /// `predicate` with its value in parentheses and `end` appended.
    [[nodiscard]] static expression with_value(expression predicate, const std::string& end) {
        predicate.value = "(" + predicate.value + ")" + end;
        return predicate;
    }

  private:
    reduction fold_;
};

/// Finds the first index at which an expression is true; evaluates it at all indices.
class finding {
  public:
    explicit finding(expression predicate)
        : fold_{counting::with_value(std::move(predicate), " ? i : n"),
                {minimum::opencl_source(), std::string{minimum::opencl_name()}, "ulong", "ulong"}} {
    }

    /// Returns the index, or `n` if the expression is true at none.
    [[nodiscard]] std::uint64_t find(const opencl::queue& where, std::span<const array> inputs,
                                     cl_ulong n,
                                     std::span<const opencl::kernel_argument> constant = {}) const {
        return fold_.fold<std::uint64_t>(where, inputs, n, minimum{}, constant);
    }

  private:
    reduction fold_;
};

}  // namespace pointsman::detail::engine
