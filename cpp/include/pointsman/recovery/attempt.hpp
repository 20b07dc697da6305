// SPDX-License-Identifier: Apache-2.0
// One run of a piece of work.
#pragma once

#include <exception>

namespace pointsman {

/// One run of a piece of work on `resource`. `error` is null while it runs and if it succeeded; a run whose result
/// was not needed, since another one was faster, has `work_cancelled`.
template <class Resource>
struct attempt {
    Resource resource;
    std::exception_ptr error{};
};

}  // namespace pointsman
