// SPDX-License-Identifier: Apache-2.0
// An executor that was not compiled in exists, and cannot be used.
// expect: openmp_executor was not compiled in: compile this file with OpenMP
// expect: or use it only where is_executor_available_v is true
#include "fairlead/executor/bulk_execute.hpp"
#include "fairlead/executor/openmp_executor.hpp"

int main() {
    const fairlead::openmp_executor<> executor{2};
#ifdef FAIRLEAD_BAD
    constexpr bool available = true;
#else
    constexpr bool available = fairlead::is_executor_available_v<fairlead::openmp_executor<>>;
#endif
    [](const auto& given) {
        if constexpr (available) {
            fairlead::bulk_execute(given, [](std::size_t) {}, 10);
        }
    }(executor);
}
