// SPDX-License-Identifier: Apache-2.0
// Every name in the documents of dynamic selection, without oneDPL's headers.
#include <gtest/gtest.h>

#include "compat/documented_names.hpp"

TEST(OneDplNames, match_the_documents) { documented::use_every_name(); }
