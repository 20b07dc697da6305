// SPDX-License-Identifier: Apache-2.0
// Arena work started from another language; an `arena_lane` holds its interpreter lock meanwhile.
#pragma once

#include "pointsman/binding/base.hpp"
#include "pointsman/resource/detail/arena_core.hpp"
#include "pointsman/resource/detail/arena_work.hpp"

namespace pointsman::binding {

using pointsman::detail::arena_core;
using pointsman::detail::arena_lane;
using pointsman::detail::arena_work;

}  // namespace pointsman::binding
