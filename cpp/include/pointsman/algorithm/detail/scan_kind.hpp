// SPDX-License-Identifier: Apache-2.0
// The two kinds of prefix sums.
#pragma once

namespace pointsman::detail {

/// Whether the sum at a place is with the value there or without it.
enum class scan_kind : bool { inclusive, exclusive };

}  // namespace pointsman::detail
