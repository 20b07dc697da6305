// SPDX-License-Identifier: Apache-2.0
// Turns Python values into kernel arguments, checked against the kernel's parameters.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pointsman/resource/opencl/queue.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/element_type.hpp"
#include "resource/opencl/scalar.hpp"

namespace pointsman::python {

/// One parameter of a kernel and the values that it accepts. Made once for each kernel.
class bound_parameter {
  public:
    bound_parameter(const opencl::kernel& kernel, std::size_t index);

    /// Packs a Python number or a NumPy scalar; returns false if the value is of another kind.
    /// **Throws**: `TypeError`, `OverflowError`.
    bool pack(PyObject* value, scalar_bytes& bytes) const;
    [[nodiscard]] std::size_t size_bytes() const noexcept { return scalar_->size_bytes; }

    /// The bytes of a value that `pack` does not take: None, a NumPy scalar or an array of one value.
    /// **Throws**: `TypeError`.
    [[nodiscard]] std::string bytes_of(pybind11::handle value) const;
    /// Checks the kind, size and number of the buffer's elements if the compiler told the parameter's type.
    /// **Throws**: `TypeError` if the parameter takes something else; `invalid_option` for a buffer that is
    /// no whole number of elements.
    void check_takes(const device_buffer& buffer) const;
    /// **Throws**: `TypeError` if the parameter takes something else.
    void check_takes_local_memory() const;

  private:
    enum class kind : std::uint8_t { value, global_pointer, local_pointer, unsupported };

    [[nodiscard]] static kind kind_of(const opencl::kernel& kernel, std::size_t index);
    void check_fits(pybind11::handle dtype) const;
    [[nodiscard]] bool has_rows_of_three(const array_layout& given) const;
    [[noreturn]] void throw_wrong_elements(const array_layout& given) const;
    [[noreturn]] void throw_wrong_count(const array_layout& given) const;
    [[nodiscard]] std::string wanted() const;

    std::string text_;  // its description in error messages
    std::string type_;
    kind kind_;
    const scalar_type* scalar_;  // null when the type is not a known scalar
    pybind11::object numpy_type_;
    std::optional<pointed_type> element_;  // empty when the type of a pointer is not known
};

/// A kernel with the checks of its parameters. Copied and destroyed with the GIL held.
struct bound_kernel {
    explicit bound_kernel(opencl::kernel made);

    opencl::kernel kernel;
    std::vector<bound_parameter> parameters;
};

/// The arguments of one call of a kernel. Refers to the buffers among `values`.
class argument_list {
  public:
    /// **Throws**: `TypeError` for a wrong number of values and for a value that does not fit its
    /// parameter, `OverflowError` for a number out of range, `invalid_option` for a kernel or a
    /// buffer of another device and for a buffer that is no whole number of vectors.
    argument_list(const opencl::queue& queue, const bound_kernel& kernel,
                  std::span<PyObject* const> values);

    [[nodiscard]] std::span<const opencl::kernel_argument> span() const noexcept { return list_; }

  private:
    std::array<std::byte, 512> first_;  // enough for twenty arguments without an allocation
    std::pmr::monotonic_buffer_resource memory_{first_.data(), first_.size()};
    std::pmr::vector<scalar_bytes> scalars_{&memory_};
    std::pmr::vector<opencl::kernel_argument> list_{&memory_};
    std::vector<std::string> others_;  // structs and vectors
};

}  // namespace pointsman::python
