// SPDX-License-Identifier: Apache-2.0
// Keeps a forked child from calling its parent's drivers.
#pragma once

#include "pointsman/base/fork_mark.hpp"

namespace pointsman::opencl::detail {

/// Made at the first use of OpenCL in the process. Drivers have threads and locks that a child does not
/// inherit: any call to them may never return.
[[nodiscard, gnu::always_inline]] inline const pointsman::detail::fork_mark&
driver_mark() noexcept {
    static const pointsman::detail::fork_mark first_use;
    return first_use;
}

/// **Throws**: `forked_process` in a child that was forked after the first use of OpenCL.
[[gnu::always_inline]] inline void check_not_forked() { driver_mark().check("OpenCL"); }

}  // namespace pointsman::opencl::detail
