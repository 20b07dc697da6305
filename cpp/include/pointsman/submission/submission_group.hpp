// SPDX-License-Identifier: Apache-2.0
// The named requirement of the object on which a policy's whole work is waited for.
#pragma once

namespace pointsman {

/// What `get_submission_group()` of a policy or a backend returns: `wait()` blocks until all of its
/// previous submissions are complete.
/// Source: *Backends, Named Requirements*, in the dynamic selection document.
template <class T>
concept submission_group = requires(T& group) { group.wait(); };

}  // namespace pointsman
