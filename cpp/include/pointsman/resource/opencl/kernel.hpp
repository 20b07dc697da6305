// SPDX-License-Identifier: Apache-2.0
// A kernel that several threads may enqueue, with its arguments set under a lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/kernel_argument.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"
#include "pointsman/resource/opencl/error.hpp"
#include "pointsman/resource/opencl/work_size.hpp"

namespace pointsman::opencl {

/// A parameter as the kernel declares it; name and type are empty if the compiler kept no names.
struct kernel_parameter {
    std::string name;
    std::string type;
    bool is_local = false;  ///< a pointer to local memory, as far as the compiler tells
};

/// A kernel of a program. OpenCL stores the arguments inside the kernel object, so they are set and the
/// kernel is enqueued under a lock of this object. Copies share the lock; request one kernel per thread
/// from the program if threads must not wait for one another. Only arguments that changed since the last
/// call are passed to the driver, until `handle()` gives others access to the kernel object.
/// **Thread safety**: any member from any thread.
class kernel {
  public:
    /// Wraps an existing kernel.
    /// **Throws**: `opencl::error`, `forked_process`.
    explicit kernel(const cl::Kernel& handle) : kernel{sole_owner(handle)} {
        state_->is_given_out.store(true);
    }
    /// Wraps a kernel to which this is the only handle.
    /// **Throws**: `opencl::error`, `forked_process`.
    [[nodiscard]] static kernel sole_owner(detail::owned<cl::Kernel> handle) {
        return kernel{std::make_shared<state>(std::move(handle))};
    }

    [[nodiscard]] const std::string& name() const noexcept { return state_->name; }
    [[nodiscard]] const std::vector<kernel_parameter>& parameters() const noexcept {
        return state_->parameters;
    }
    /// The context of its program.
    [[nodiscard]] cl_context context() const noexcept { return state_->context; }
    /// The kernel as an object of the Khronos bindings. Setting arguments on it bypasses the lock, so from
    /// now on every call sets all arguments.
    [[nodiscard]] const cl::Kernel& handle() const noexcept {
        state_->is_given_out.store(true);
        return state_->handle;
    }

    /// Sets all arguments and, under the same lock, calls `use(handle, is_new)`, which must not set
    /// arguments. `is_new` is true if no launch of `size` is recorded: some drivers recompile a kernel
    /// for each size.
    /// **Throws**: `invalid_option` for the wrong number of arguments; `opencl::error`, naming the
    /// argument, if the driver refuses one; what `use` throws.
    template <class Use>
    [[gnu::always_inline]] decltype(auto) with_arguments(std::span<const kernel_argument> arguments,
                                                         const work_size& size, Use&& use) const {
        if (arguments.size() != parameters().size()) {
            throw invalid_option{"kernel '" + name() + "' takes " +
                                 std::to_string(parameters().size()) + " arguments, given " +
                                 std::to_string(arguments.size())};
        }
        std::lock_guard lock{state_->arguments};
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (!state_->has(i, arguments[i])) {
                set(i, arguments[i]);
            }
        }
        return std::forward<Use>(use)(std::as_const(state_->handle), state_->note_launch(size));
    }

  private:
    struct state {
        explicit state(detail::owned<cl::Kernel> kernel) : handle{std::move(kernel)} {
            detail::check_not_forked();
            detail::translated([&] {
                name = handle.getInfo<CL_KERNEL_FUNCTION_NAME>();
                context = handle.getInfo<CL_KERNEL_CONTEXT>()();
                parameters.resize(handle.getInfo<CL_KERNEL_NUM_ARGS>());
                given.resize(parameters.size());
                learn_parameters();
            });
        }

        /// A program made from a binary, or not built by pointsman, may have no parameter names.
        void learn_parameters() {
            for (cl_uint i = 0; i < parameters.size(); ++i) {
                try {
                    parameters[i] = {handle.getArgInfo<CL_KERNEL_ARG_NAME>(i),
                                     handle.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(i),
                                     handle.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(i) ==
                                         CL_KERNEL_ARG_ADDRESS_LOCAL};
                } catch (const cl::Error&) {
                    parameters[i] = {};
                }
            }
        }

        /// Returns true if the kernel object already has the value of `argument`.
        [[nodiscard]] bool has(std::size_t index, const kernel_argument& argument) const noexcept {
            return given[index].is(argument) && !is_given_out.load(std::memory_order_relaxed);
        }

        bool note_launch(const work_size& size) {
            const auto extents = size.extents();
            if (extents == last_size) {
                return false;
            }
            last_size = extents;
            if (sizes.size() == remembered_sizes) {
                sizes.clear();
            }
            return sizes.insert(extents).second;
        }

        detail::owned<cl::Kernel> handle;
        std::string name;
        std::vector<kernel_parameter> parameters;
        cl_context context = nullptr;
        std::atomic<bool> is_given_out{false};
        std::mutex arguments;  // guards the arguments inside `handle`, and the following members
        std::vector<detail::remembered_argument> given;
        static constexpr std::size_t remembered_sizes = 64;
        work_size::extent_list last_size{};
        std::set<work_size::extent_list> sizes;
    };

    explicit kernel(std::shared_ptr<state> made) : state_{std::move(made)} {}

    void set(std::size_t index, const kernel_argument& argument) const {
        detail::remembered_argument& given = state_->given[index];
        given.forget();
        const cl_int refused = clSetKernelArg(state_->handle(), static_cast<cl_uint>(index),
                                              argument.size_bytes, argument.value);
        if (refused != CL_SUCCESS) {
            const kernel_parameter& taken = parameters()[index];
            throw error{refused, "argument " + std::to_string(index) + " ('" + taken.name + "', " +
                                     taken.type + ") of kernel '" + name() +
                                     "' does not take a value of " +
                                     std::to_string(argument.size_bytes) + " bytes"};
        }
        given.set(argument);
    }

    std::shared_ptr<state> state_;
};

}  // namespace pointsman::opencl
