// SPDX-License-Identifier: Apache-2.0
// The adapter that returns a resource unchanged: oneDPL's own if its headers are on the include path.
#pragma once

#if __has_include("oneapi/dpl/functional")
#include "oneapi/dpl/functional"
#else

namespace oneapi::dpl {

/// Returns its argument.
struct identity {
    using is_transparent = void;

    template <class T>
    constexpr T&& operator()(T&& value) const noexcept {
        return static_cast<T&&>(value);
    }
};

}  // namespace oneapi::dpl

namespace dpl = oneapi::dpl;

#endif
