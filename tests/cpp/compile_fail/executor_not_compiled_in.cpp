// SPDX-License-Identifier: Apache-2.0
// An executor that was not compiled in exists as a type but cannot be used.
// expect: openmp_executor was not compiled in: compile this file with OpenMP
// expect: or use it only where is_executor_available_v is true
#include "pointsman/executor/bulk_execute.hpp"
#include "pointsman/executor/openmp_executor.hpp"

int main() {
    const pointsman::openmp_executor<> executor{2};
#ifdef POINTSMAN_BAD
    constexpr bool available = true;
#else
    constexpr bool available = pointsman::is_executor_available_v<pointsman::openmp_executor<>>;
#endif
    [](const auto& given) {
        if constexpr (available) {
            pointsman::bulk_execute(given, [](std::size_t) {}, 10);
        }
    }(executor);
}
