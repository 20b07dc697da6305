// SPDX-License-Identifier: Apache-2.0
// The named requirement Submission: waits for submitted work and returns its result.
#pragma once

namespace pointsman {

/// Named requirement *Submission*: `wait()` blocks until the work is complete, `unwrap()` returns what
/// the submitted function returned. Submissions returned by a policy also have `get_policy()`.
/// Source: *Named Requirements, Submission*, in the dynamic selection document, and *Current Backend
/// Design* in the custom backends document.
template <class T>
concept submission = requires(T& s) {
    s.wait();
    s.unwrap();
};

}  // namespace pointsman
