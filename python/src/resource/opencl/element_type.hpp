// SPDX-License-Identifier: Apache-2.0
// Compares a buffer's element type with that of a kernel's pointer parameter.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "resource/opencl/scalar.hpp"

namespace pointsman::python {

/// What a NumPy dtype stores, as far as kernels distinguish it.
struct element_type {
    /// Integers include bool, dates and characters; `other` is a structured dtype or one of another package.
    enum class kind : std::uint8_t { integer, real, complex, other };

    /// GIL held.
    explicit element_type(pybind11::handle dtype);

    kind stored;
    std::size_t size_bytes;
};

/// The type that a pointer parameter points to: a scalar or a vector of OpenCL C.
class pointed_type {
  public:
    /// Returns nothing if the compiler does not tell the type, and for typedefs, structs and `void`, whose size
    /// is not known.
    static std::optional<pointed_type> find(std::string_view declared);

    /// Returns true for the same kind and size: signed and unsigned integers are alike, as they are in C. A
    /// vector is as many numbers, a complex number if it has two lanes or more, or any other element of its size.
    [[nodiscard]] bool takes(const element_type& given) const noexcept;
    /// The bytes of one element in memory: a vector of three lanes occupies four.
    [[nodiscard]] std::size_t size_bytes() const noexcept {
        return scalar_->size_bytes * (lanes_ == 3 ? 4 : lanes_);
    }
    [[nodiscard]] std::size_t lanes() const noexcept { return lanes_; }
    /// The dtype of one lane.
    [[nodiscard]] const char* numpy() const noexcept { return scalar_->numpy; }

  private:
    pointed_type(const scalar_type& scalar, std::size_t lanes);

    const scalar_type* scalar_;
    std::size_t lanes_;
    element_type::kind stored_;
};

}  // namespace pointsman::python
