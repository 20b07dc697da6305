// SPDX-License-Identifier: Apache-2.0
// The named requirement Backend.
#pragma once

#include <concepts>
#include <vector>

#include "pointsman/resource/resource.hpp"
#include "pointsman/submission/submission_group.hpp"

namespace pointsman {

/// Named requirement *Backend*: it names its resources, offers a group to wait for, and has
/// `submit(selection, f, args...)`, which is checked where it is called.
/// Source: *Backends, Named Requirements*, in the dynamic selection document.
template <class T>
concept backend = resource<typename T::resource_type> && requires(T& b) {
    { b.get_resources() } -> std::convertible_to<std::vector<typename T::resource_type>>;
    { b.get_submission_group() } -> submission_group;
};

}  // namespace pointsman
