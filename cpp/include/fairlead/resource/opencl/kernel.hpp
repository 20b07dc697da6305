// SPDX-License-Identifier: Apache-2.0
// A kernel that several threads may enqueue, and the values of its arguments.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fairlead/error.hpp"
#include "fairlead/resource/opencl/api.hpp"
#include "fairlead/resource/opencl/error.hpp"
#include "fairlead/resource/opencl/owned.hpp"
#include "fairlead/resource/opencl/work_size.hpp"

namespace fairlead::opencl {

/// The value of one kernel argument: it refers to what it was made from, and lives as long as the
/// call that it is passed to.
struct kernel_argument {
    std::size_t size_bytes;
    const void* value;  ///< null for local memory, of which only the size is given

    kernel_argument(std::size_t bytes, const void* address) noexcept
        : size_bytes{bytes}, value{address} {}
    /// A buffer, an image or a pipe.
    kernel_argument(const cl::Memory& memory) noexcept
        : size_bytes{sizeof(cl_mem)}, value{&memory()} {}
    /// Local memory: `cl::Local(bytes)`.
    kernel_argument(const cl::LocalSpaceArg& local) noexcept
        : size_bytes{local.size_}, value{nullptr} {}
    /// A number, a vector type such as `cl_float4`, or a struct, passed by its bytes.
    template <class T>
        requires(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>)
    kernel_argument(const T& scalar) noexcept
        : size_bytes{sizeof scalar}, value{std::addressof(scalar)} {}
};

/// A parameter as the kernel declares it; both are empty when the compiler kept no names.
struct kernel_parameter {
    std::string name;
    std::string type;
};

/// A kernel of a program. OpenCL keeps the arguments inside the kernel object, so setting them and
/// enqueuing happen under a lock of this object. Copies share it; ask the program for a kernel in
/// each thread where threads shall not wait for one another.
/// **Thread safety**: any member from any thread.
class kernel {
  public:
    explicit kernel(cl::Kernel handle) : state_{std::make_shared<state>(std::move(handle))} {}

    [[nodiscard]] const std::string& name() const noexcept { return state_->name; }
    [[nodiscard]] const std::vector<kernel_parameter>& parameters() const noexcept {
        return state_->parameters;
    }
    /// The kernel in the terms of the Khronos bindings. Whoever sets arguments on it goes around
    /// the lock.
    [[nodiscard]] const cl::Kernel& handle() const noexcept { return state_->handle; }

    /// Sets all arguments and calls `use(handle, is_new)` before another thread can set others. `is_new`
    /// tells whether no launch of `size` came before, as far as is remembered: some drivers compile a
    /// kernel anew for each size.
    /// **Throws**: `invalid_option` for the wrong number of arguments; `opencl::error`, naming the
    /// argument, when the driver refuses one; what `use` throws.
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
            set(i, arguments[i]);
        }
        return std::forward<Use>(use)(std::as_const(state_->handle), state_->note_launch(size));
    }

  private:
    struct state {
        explicit state(cl::Kernel kernel) : handle{std::move(kernel)} {
            detail::translated([&] {
                name = handle.getInfo<CL_KERNEL_FUNCTION_NAME>();
                parameters.resize(handle.getInfo<CL_KERNEL_NUM_ARGS>());
                learn_parameters();
            });
        }

        /// A program from a binary, or built by somebody else, may have no names to tell.
        void learn_parameters() {
            for (cl_uint i = 0; i < parameters.size(); ++i) {
                try {
                    parameters[i] = {handle.getArgInfo<CL_KERNEL_ARG_NAME>(i),
                                     handle.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(i)};
                } catch (const cl::Error&) {
                    parameters[i] = {};
                }
            }
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
        std::mutex arguments;  // guards those inside `handle`, and the sizes
        static constexpr std::size_t remembered_sizes = 64;
        work_size::extent_list last_size{};
        std::set<work_size::extent_list> sizes;
    };

    void set(std::size_t index, const kernel_argument& argument) const {
        const cl_int refused = clSetKernelArg(state_->handle(), static_cast<cl_uint>(index),
                                              argument.size_bytes, argument.value);
        if (refused != CL_SUCCESS) {
            const auto& [name_, type] = parameters()[index];
            throw error{refused, "argument " + std::to_string(index) + " ('" + name_ + "', " +
                                     type + ") of kernel '" + name() +
                                     "' does not take a value of " +
                                     std::to_string(argument.size_bytes) + " bytes"};
        }
    }

    std::shared_ptr<state> state_;
};

}  // namespace fairlead::opencl
