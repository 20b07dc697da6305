// SPDX-License-Identifier: Apache-2.0
// Uses oneDPL's algorithms, iterators and functors in tasks that run under the drop-in's policies.
#pragma once

#include <cstddef>
#include <vector>

namespace beside_onedpl {

/// Returns the sum of `values`, computed with oneDPL's own names in a task of the drop-in's
/// policies. Include the headers of both before this one.
inline int sum_on_selected(const std::vector<int>& values) {
    namespace ex = oneapi::dpl::experimental;
    ex::round_robin_policy<const std::vector<int>*, oneapi::dpl::identity> policy{
        std::vector<const std::vector<int>*>{&values}};
    auto sum = ex::submit(policy, [](const std::vector<int>* chosen) {
        std::vector<int> copied(chosen->size());
        oneapi::dpl::transform(oneapi::dpl::execution::unseq, chosen->begin(), chosen->end(),
                               copied.begin(), oneapi::dpl::identity{});
        const oneapi::dpl::counting_iterator<std::size_t> first{0};
        return oneapi::dpl::transform_reduce(
            oneapi::dpl::execution::unseq, first, first + copied.size(), 0, oneapi::dpl::plus<>{},
            [&](std::size_t index) { return oneapi::dpl::maximum<int>{}(copied[index], 0); });
    });
    return ex::unwrap(sum);
}

}  // namespace beside_onedpl
