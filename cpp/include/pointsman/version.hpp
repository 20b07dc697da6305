// SPDX-License-Identifier: Apache-2.0
// The version of the library; the build reads it from here.
#pragma once

#define POINTSMAN_VERSION_MAJOR 0
#define POINTSMAN_VERSION_MINOR 1
#define POINTSMAN_VERSION_PATCH 0
