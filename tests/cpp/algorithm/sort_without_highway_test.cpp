// SPDX-License-Identifier: Apache-2.0
// The sorts of bits on the host without Highway, in a program of its own.
// link: -pthread
#undef FAIRLEAD_WITH_HIGHWAY
#ifndef FAIRLEAD_WITHOUT_OPENCL
#define FAIRLEAD_WITHOUT_OPENCL
#endif
#include "sort_bits_test.cpp"
