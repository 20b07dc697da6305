// SPDX-License-Identifier: Apache-2.0
// Every policy over executors of OpenMP.
#include "fairlead/executor/openmp_executor.hpp"
#include "support/executor_case.hpp"

#ifdef _OPENMP
namespace fairlead::test {

struct openmp_case : executor_case<openmp_executor<>> {
    static std::vector<resource_type> resources() { return {resource_type{1}, resource_type{2}}; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(OpenmpExecutor, PolicyConformance, all_policies<openmp_case>,
                               policy_names);

}  // namespace fairlead::test
#endif
