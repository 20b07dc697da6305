// SPDX-License-Identifier: Apache-2.0
// A user's program on the selection core alone, with its own resource type.
#include <cstdlib>
#include <future>
#include <iostream>
#include <string>

#include "pointsman/dynamic_selection.hpp"

struct device {
    std::string name;
};

int main() {
    pointsman::round_robin_policy<device> policy{{device{"left"}, device{"right"}}};
    auto twice = [](const device& on, int value) {
        return std::async(std::launch::async, [name = on.name, value] {
            return name + ':' + std::to_string(2 * value);
        });
    };
    auto first = policy.submit(twice, 1);
    auto second = pointsman::submit(policy, twice, 2);
    const std::string results = first.unwrap().get() + ' ' + second.unwrap().get();
    std::cout << results << '\n';
    return results == "left:2 right:4" ? EXIT_SUCCESS : EXIT_FAILURE;
}
