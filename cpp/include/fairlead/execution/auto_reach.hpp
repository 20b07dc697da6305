// SPDX-License-Identifier: Apache-2.0
// What algorithms need to know of an auto_policy before it is used.
#pragma once

#include <cstdint>

namespace fairlead::execution {

class auto_policy;

/// Where a call of an algorithm can run.
enum class auto_reach : std::uint8_t { host, device, anywhere };

}  // namespace fairlead::execution
