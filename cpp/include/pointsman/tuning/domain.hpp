// SPDX-License-Identifier: Apache-2.0
// Describes hardware that several resources share, such as the cores of a NUMA node.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pointsman {

/// Hardware that several resources share: the cores of a NUMA node, one GPU. Outstanding work is counted
/// for the whole domain, since two resources of one domain do not make it faster.
struct domain {
    std::uint64_t id = 0;     ///< equal for resources that share hardware; 0 if it shares none
    double capacity = 1;      ///< how many threads run at full speed at the same time
    std::size_t slots = 1;    ///< how many tasks the resource runs at the same time
    double threads_each = 1;  ///< how many threads of the domain a task of the resource uses
};

/// Tells which domain a resource of type `Resource` uses. If the objects of a user-defined type share
/// hardware, give it a member `domain()`, or specialise this class with a `static domain of(const
/// Resource&)`. Without either, each object has its own hardware and runs one task at a time.
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

/// Returns the domain that a resource uses.
template <class Resource>
[[nodiscard]] domain domain_of(const Resource& resource) {
    return domain_traits<Resource>::of(resource);
}

}  // namespace pointsman
