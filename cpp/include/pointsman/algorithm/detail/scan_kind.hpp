// SPDX-License-Identifier: Apache-2.0
// Selects prefix sums with or without the value at each index.
#pragma once

namespace pointsman::detail {

/// Whether the sum at an index includes the value there.
enum class scan_kind : bool { inclusive, exclusive };

}  // namespace pointsman::detail
