// SPDX-License-Identifier: Apache-2.0
// Runs the tests of sort_bits_test.cpp without Highway, in a separate program.
// link: -pthread
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#undef POINTSMAN_WITH_HIGHWAY
#ifndef POINTSMAN_WITHOUT_OPENCL
#define POINTSMAN_WITHOUT_OPENCL
#endif
#include "sort_bits_test.cpp"
