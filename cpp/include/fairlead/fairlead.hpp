// SPDX-License-Identifier: Apache-2.0
// Umbrella over all rooms.
#pragma once

#include "fairlead/dynamic_selection.hpp"
#include "fairlead/resource/any_resource.hpp"
#include "fairlead/resource/arena.hpp"
#include "fairlead/resource/discover.hpp"
