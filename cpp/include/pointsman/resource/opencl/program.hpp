// SPDX-License-Identifier: Apache-2.0
// A program built from source for one device, from which kernels are made.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "pointsman/error.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/kernel_pool.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"
#include "pointsman/resource/opencl/error.hpp"
#include "pointsman/resource/opencl/kernel.hpp"

namespace pointsman::opencl {
namespace detail {

inline void check_no_nul(const std::string& what, const std::string& text) {
    if (const std::size_t index = text.find('\0'); index != std::string::npos) {
        throw invalid_option{what + " a NUL character at index " + std::to_string(index) +
                             ": remove it"};
    }
}

}  // namespace detail

/// A built program: a cheap handle to it.
/// **Thread safety**: any member from any thread.
class program {
  public:
    explicit program(detail::owned<cl::Program> handle) : handle_{std::move(handle)} {}

    /// Compiles and links `source` for `device` with the options of `clBuildProgram`, and with the names
    /// and types of the kernels' parameters. Prefer `queue::build`, which has a cache.
    /// **Throws**: `build_error` with the compiler's log; `invalid_option` for a NUL character, which
    /// drivers take for the end of the text; `opencl::error`.
    /// **Cost**: tens of milliseconds or more.
    [[nodiscard]] static program build(const cl::Context& context, const cl::Device& device,
                                       const std::string& source, const std::string& options = {}) {
        detail::check_no_nul("the source of a program has", source);
        detail::check_no_nul("the options of a program have", options);
        return detail::translated(
            [&] {
                try {
                    return compiled(context, device, source, options + " -cl-kernel-arg-info");
                } catch (const cl::BuildError&) {
                    // NVIDIA's compiler fails on that option if a kernel has no parameters.
                    return diagnosed(context, device, source, options);
                }
            },
            [&] { return "building a program with the options '" + options + "': "; });
    }

    /// A new kernel object for the function `name`, with arguments and a lock of its own.
    /// **Throws**: `opencl::error`, listing the program's kernels, if there is none of that name;
    /// `forked_process`.
    [[nodiscard]] opencl::kernel kernel(const std::string& name) const {
        detail::check_not_forked();
        const std::size_t end = name.find('\0');  // where drivers would end it
        cl_int refused = end == std::string::npos ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
        const cl_kernel made =
            refused == CL_SUCCESS ? clCreateKernel(handle_(), name.c_str(), &refused) : nullptr;
        if (refused != CL_SUCCESS) {
            const std::string shown = name.substr(0, end) + (end < name.size() ? "\\0..." : "");
            throw error{refused, "there is no kernel '" + shown + "' in the program, which has '" +
                                     kernel_names() + "'"};
        }
        return opencl::kernel::sole_owner(cl::Kernel{made});  // takes over the reference
    }

    /// Calls `use` with a kernel object for the function `name` that no other thread uses meanwhile. The
    /// object is kept for later calls, since making one takes the driver microseconds.
    /// **Throws**: like `kernel`; what `use` throws.
    template <std::invocable<const opencl::kernel&> Use>
    void with_kernel(const std::string& name, Use&& use) const {
        auto idle = idle_->take(name);
        opencl::kernel ready = idle ? *std::move(idle) : kernel(name);
        std::forward<Use>(use)(std::as_const(ready));
        idle_->give_back(name, std::move(ready));
    }

    /// The names of the program's kernels, separated by semicolons.
    [[nodiscard]] std::string kernel_names() const {
        detail::check_not_forked();
        return detail::translated([&] { return handle_.getInfo<CL_PROGRAM_KERNEL_NAMES>(); });
    }

    /// The program as an object of the Khronos bindings.
    [[nodiscard]] const cl::Program& handle() const noexcept { return handle_; }

  private:
    static program compiled(const cl::Context& context, const cl::Device& device,
                            const std::string& source, const std::string& options) {
        cl::Program built{context, source};
        built.build({device}, options.c_str());
        return program{std::move(built)};
    }

    static program diagnosed(const cl::Context& context, const cl::Device& device,
                             const std::string& source, const std::string& options) {
        try {
            return compiled(context, device, source, options);
        } catch (const cl::BuildError& failed) {
            if (failed.err() != CL_BUILD_PROGRAM_FAILURE) {
                throw;  // e.g. CL_INVALID_BUILD_OPTIONS, which has no log
            }
            std::string log;
            for (const auto& [of_device, text] : failed.getBuildLog()) {
                log += text;
            }
            throw build_error{failed.err(), device.getInfo<CL_DEVICE_NAME>(), std::move(log),
                              source};
        }
    }

    detail::owned<cl::Program> handle_;
    std::shared_ptr<detail::kernel_pool> idle_ = std::make_shared<detail::kernel_pool>();
};

}  // namespace pointsman::opencl
