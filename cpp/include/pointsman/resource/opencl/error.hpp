// SPDX-License-Identifier: Apache-2.0
// The exceptions that pointsman throws if OpenCL refuses a call or a command fails.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "pointsman/error.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/build_log.hpp"
#include "pointsman/resource/opencl/detail/error_name.hpp"

namespace pointsman::opencl {

/// An OpenCL call was refused, or a command that was accepted failed later.
class error : public std::runtime_error,
              public pointsman::error,
              public resource_failure,
              public out_of_memory {
  public:
    /// `what` says which operation failed; the name of `code` is appended.
    /// `of_allocation` if the operation makes a buffer or another memory object.
    error(cl_int code, const std::string& what, bool of_allocation = false)
        : std::runtime_error{what + ": " + error_name(code)},
          code_{code},
          of_allocation_{of_allocation} {}

    /// The code that OpenCL returned, or the negative status of the command.
    [[nodiscard]] cl_int code() const noexcept { return code_; }

    /// Returns true if the device or the host has no memory for a buffer: it may have some when other work has
    /// ended, and so may another device.
    [[nodiscard]] bool is_out_of_memory() const noexcept override {
        return code_ == CL_MEM_OBJECT_ALLOCATION_FAILURE || code_ == CL_OUT_OF_HOST_MEMORY ||
               (code_ == CL_OUT_OF_RESOURCES && of_allocation_);
    }

    /// Returns true if a device, context or queue no longer works. No memory for a buffer is no failure of the
    /// device; elsewhere, out of resources is what NVIDIA's driver returns for a context that a kernel has
    /// broken.
    [[nodiscard]] bool is_resource_failure() const noexcept override {
        return !is_out_of_memory() &&
               (code_ == CL_DEVICE_NOT_AVAILABLE || code_ == CL_OUT_OF_RESOURCES ||
                code_ == CL_INVALID_CONTEXT || code_ == CL_INVALID_COMMAND_QUEUE);
    }

  private:
    cl_int code_;
    bool of_allocation_;
};

/// A program did not compile or link; `what()` contains the compiler's log with the source lines that it
/// refers to.
class build_error : public error {
  public:
    build_error(cl_int code, const std::string& device, std::string log, std::string_view source)
        : error{code, "the program does not build for " + device + ":\n" +
                          detail::with_source_lines(log, source) + "build result"},
          log_{std::move(log)} {}

    /// The same error, with the name of the program's file put in front of its text.
    [[nodiscard]] build_error in_file(const std::string& path) const {
        build_error named{*this};
        static_cast<std::runtime_error&>(named) = std::runtime_error{path + ": " + what()};
        return named;
    }

    /// The compiler's log, unchanged.
    [[nodiscard]] const std::string& log() const noexcept { return log_; }

  private:
    std::string log_;
};

namespace detail {
/// Returns true for the functions of OpenCL that make memory objects.
[[nodiscard]] inline bool allocates(std::string_view function) noexcept {
    return function.starts_with("clCreateBuffer") || function.starts_with("clCreateImage") ||
           function.starts_with("clCreateSubBuffer") || function.starts_with("clSVMAlloc");
}

/// Calls `call()`, turning an exception of the Khronos bindings into one of pointsman. The bindings
/// name the failed function; `describe()` names the operation.
template <class Call, class Describe>
[[gnu::always_inline]] inline decltype(auto) translated(Call&& call, Describe&& describe) {
    try {
        return std::forward<Call>(call)();
    } catch (const cl::Error& refused) {
        throw error{refused.err(), std::forward<Describe>(describe)() + refused.what(),
                    allocates(refused.what())};
    }
}
template <class Call>
[[gnu::always_inline]] inline decltype(auto) translated(Call&& call) {
    return translated(std::forward<Call>(call), [] { return std::string{}; });
}
}  // namespace detail

}  // namespace pointsman::opencl
