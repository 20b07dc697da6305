// SPDX-License-Identifier: Apache-2.0
// Work that calls back from another thread, for the conformance suite.
#pragma once

#include <thread>
#include <vector>

#include "support/manual_work.hpp"

namespace pointsman::test {

struct calling_case {
    using resource_type = int;
    static std::vector<int> resources() { return {1, 2}; }
    static calling_work work(int) {
        calling_work w;
        std::thread{[w]() mutable { w.succeed(); }}.detach();
        return w;
    }
    static calling_work failing_work(int) {
        calling_work w;
        std::thread{[w]() mutable { w.fail(); }}.detach();
        return w;
    }
};

}  // namespace pointsman::test
