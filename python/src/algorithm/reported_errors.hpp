// SPDX-License-Identifier: Apache-2.0
// Floating-point errors as NumPy numbers them and as the processor does.
#pragma once

#include <cfenv>

namespace pointsman::python {

/// The bits of `std::fetestexcept` for a sum of 1 for a division by zero, 2 for overflow, 4 for underflow and 8 for
/// invalid values.
[[nodiscard]] inline int reported_errors(int sum) {
    return ((sum & 1) != 0 ? FE_DIVBYZERO : 0) | ((sum & 2) != 0 ? FE_OVERFLOW : 0) |
           ((sum & 4) != 0 ? FE_UNDERFLOW : 0) | ((sum & 8) != 0 ? FE_INVALID : 0);
}

}  // namespace pointsman::python
