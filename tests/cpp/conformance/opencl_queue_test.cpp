// SPDX-License-Identifier: Apache-2.0
// Runs the conformance suite of every policy over OpenCL queues.
#include "conformance/opencl_case.hpp"
#include "conformance/policy_conformance.hpp"

namespace pointsman::test {

INSTANTIATE_TYPED_TEST_SUITE_P(OpenclQueue, PolicyConformance, all_policies<opencl_case>,
                               policy_names);

}  // namespace pointsman::test
