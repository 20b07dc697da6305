// SPDX-License-Identifier: Apache-2.0
// A task that returns the resource it ran on.
#pragma once

/// Returns the resource.
inline constexpr auto return_resource = [](int resource) { return resource; };
