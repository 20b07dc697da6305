// SPDX-License-Identifier: Apache-2.0
// A row of three numbers, and functions of rows for host and device.
#pragma once

#include <cstdint>

#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/structure.hpp"

namespace pointsman::test {

POINTSMAN_STRUCT(zipped_row, {
    int32_t key;
    float amount;
    int16_t extra;
});
POINTSMAN_FUNCTION(float, weight_of_row, (zipped_row r), { return r.key * r.amount + r.extra; });
POINTSMAN_FUNCTION(bool, is_heavy_row, (zipped_row r), { return r.key * r.amount > 6; });
POINTSMAN_FUNCTION(bool, have_equal_keys, (zipped_row a, zipped_row b), { return a.key == b.key; });
POINTSMAN_FUNCTION(bool, row_is_less, (zipped_row a, zipped_row b), { return a.key < b.key; });
POINTSMAN_FUNCTION(zipped_row, turned_row, (zipped_row r), {
    zipped_row turned = {r.extra, r.amount + 1, (int16_t)r.key};
    return turned;
});
POINTSMAN_FUNCTION(zipped_row, row_of_weight, (float weight), {
    zipped_row made = {1, weight, 2};
    return made;
});
POINTSMAN_FUNCTION(zipped_row, constant_row, (), {
    zipped_row made = {3, 1, 4};
    return made;
});
POINTSMAN_FUNCTION(zipped_row, greatest_fields, (zipped_row a, zipped_row b), {
    a.key = a.key < b.key ? b.key : a.key;
    a.amount = a.amount < b.amount ? b.amount : a.amount;
    a.extra = a.extra < b.extra ? b.extra : a.extra;
    return a;
});
/// Associative, but not commutative.
POINTSMAN_FUNCTION(zipped_row, outer_fields, (zipped_row a, zipped_row b), {
    a.amount = b.amount;
    a.extra = a.extra < b.extra ? a.extra : b.extra;
    return a;
});
POINTSMAN_FUNCTION(void, shift_row, (zipped_row * r), {
    r->extra += r->key;
    r->key = 1;
});

}  // namespace pointsman::test
