// SPDX-License-Identifier: Apache-2.0
// The named requirement Backend: what a policy needs in order to run and await work on its resources.
#pragma once

#include <concepts>
#include <vector>

#include "pointsman/resource/resource.hpp"
#include "pointsman/submission/submission_group.hpp"

namespace pointsman {

/// Named requirement *Backend*: a type that lists its resources, returns a group of submissions to wait
/// for, and has `submit(selection, f, args...)`, which is checked at the call site.
/// Source: *Backends, Named Requirements*, in the dynamic selection document.
template <class T>
concept backend = resource<typename T::resource_type> && requires(T& b) {
    { b.get_resources() } -> std::convertible_to<std::vector<typename T::resource_type>>;
    { b.get_submission_group() } -> submission_group;
};

}  // namespace pointsman
