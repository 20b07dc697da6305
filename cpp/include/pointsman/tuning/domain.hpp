// SPDX-License-Identifier: Apache-2.0
// The hardware that a resource uses, which others may use too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pointsman {

/// A domain is hardware that several resources use: the cores of a NUMA node, one GPU. Work outstanding is
/// counted by domain, and two resources of one domain do not make it faster.
struct domain {
    std::uint64_t id = 0;  ///< equal for resources that share hardware; 0: the resource has its own
    double capacity = 1;   ///< how many threads of the domain advance at full speed
    std::size_t slots = 1;    ///< how many tasks the resource runs at a time
    double threads_each = 1;  ///< how many threads of the domain each of its tasks has
};

/// Says which domain a resource of type `Resource` uses. Specialise it, with a `static domain of(const
/// Resource&)`, for a type of your own whose objects share hardware; others have their own, and run one task
/// at a time.
template <class Resource>
struct domain_traits {
    static domain of(const Resource& resource) {
        if constexpr (requires { resource.domain(); }) {
            return resource.domain();
        } else {
            return {};
        }
    }
};

/// The domain that a resource uses.
template <class Resource>
[[nodiscard]] domain domain_of(const Resource& resource) {
    return domain_traits<Resource>::of(resource);
}

}  // namespace pointsman
