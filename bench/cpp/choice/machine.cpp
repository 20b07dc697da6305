// SPDX-License-Identifier: Apache-2.0
// Describes the machines of the scenes to the library.
#include "machine.hpp"

#include "pointsman/clock.hpp"

namespace bench::choice {

std::vector<pointsman::replay::place> places_of(const machine& hardware) {
    std::vector<pointsman::replay::place> places;
    for (const server& each : hardware.servers) {
        places.push_back({.name = {},
                          .hardware = {each.domain + 1, hardware.capacity[each.domain], each.slots,
                                       each.threads},
                          .latency = pointsman::clock::duration{
                              static_cast<pointsman::clock::rep>(each.latency)}});
    }
    return places;
}

machine separate_servers(std::size_t count) {
    machine made;
    for (std::size_t i = 0; i < count; ++i) {
        made.servers.push_back({.domain = i});
        made.capacity.push_back(1);
    }
    return made;
}

}  // namespace bench::choice
