// SPDX-License-Identifier: Apache-2.0
// A task that tells where it runs.
#pragma once

/// Returns the resource.
inline constexpr auto give_back = [](int resource) { return resource; };
