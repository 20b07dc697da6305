// SPDX-License-Identifier: Apache-2.0
// The named requirement of an object that waits for all work of a policy.
#pragma once

namespace pointsman {

/// The result of `get_submission_group()` of a policy or a backend: `wait()` blocks until all of its
/// previous submissions are complete.
/// Source: *Backends, Named Requirements*, in the dynamic selection document.
template <class T>
concept submission_group = requires(T& group) { group.wait(); };

}  // namespace pointsman
