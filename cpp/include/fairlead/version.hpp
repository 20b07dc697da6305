// SPDX-License-Identifier: Apache-2.0
// The version of the library; the build reads it from here.
#pragma once

#define FAIRLEAD_VERSION_MAJOR 0
#define FAIRLEAD_VERSION_MINOR 1
#define FAIRLEAD_VERSION_PATCH 0
