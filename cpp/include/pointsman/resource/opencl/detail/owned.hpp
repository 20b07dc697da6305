// SPDX-License-Identifier: Apache-2.0
// A handle of the Khronos bindings that makes no driver calls in a forked child.
#pragma once

#include <utility>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/error.hpp"

namespace pointsman::opencl::detail {

/// A handle of the Khronos bindings that does no reference counting in a child forked after the first
/// use of OpenCL: a driver's lock may be held there forever, and NVIDIA's driver then hangs in a
/// release.
/// **Throws**: from copies `opencl::error`, if the driver refuses another reference.
/// **Thread safety**: as `Handle`.
template <class Handle>
class owned : public Handle {
  public:
    owned() = default;
    owned(const Handle& handle)
        : Handle{translated([&] { return Handle{handle(), counts(handle)}; })} {}
    owned(Handle&& handle) noexcept : Handle{std::move(handle)} {}

    owned(const owned& other) : owned{static_cast<const Handle&>(other)} {}
    owned(owned&& other) noexcept : Handle{std::move(other)} {}
    owned& operator=(owned other) noexcept {
        std::swap(static_cast<Handle&>(*this), static_cast<Handle&>(other));
        return *this;
    }
    ~owned() {
        if (!counts(*this)) {
            (*this)() = nullptr;
        }
    }

  private:
    static bool counts(const Handle& handle) noexcept {
        return handle() != nullptr && !driver_mark().is_stale();
    }
};

}  // namespace pointsman::opencl::detail
