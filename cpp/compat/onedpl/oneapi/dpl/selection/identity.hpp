// SPDX-License-Identifier: Apache-2.0
// The adapter that leaves a resource as it is: oneDPL's own where its headers are on the include path.
#pragma once

#if __has_include("oneapi/dpl/functional")
#include "oneapi/dpl/functional"
#else

namespace oneapi::dpl {

/// Gives back what it is called with.
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
