// SPDX-License-Identifier: Apache-2.0
// What the algorithms by segment should return, by plain loops.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace pointsman::test {

/// The first key of each segment and the fold of its values.
template <class Key, class T, class Same, class Op>
std::pair<std::vector<Key>, std::vector<T>> reduced(const std::vector<Key>& keys,
                                                    const std::vector<T>& values, Same same,
                                                    Op op) {
    std::pair<std::vector<Key>, std::vector<T>> result;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || !same(keys[i - 1], keys[i])) {
            result.first.push_back(keys[i]);
            result.second.push_back(values[i]);
        } else {
            result.second.back() = static_cast<T>(op(result.second.back(), values[i]));
        }
    }
    return result;
}

template <class Key, class T, class Same, class Op>
std::vector<T> scanned_inclusively(const std::vector<Key>& keys, const std::vector<T>& values,
                                   Same same, Op op) {
    std::vector<T> result;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool begins = i == 0 || !same(keys[i - 1], keys[i]);
        result.push_back(begins ? values[i] : static_cast<T>(op(result.back(), values[i])));
    }
    return result;
}

template <class Key, class Value, class T, class Same, class Op>
std::vector<T> scanned_exclusively(const std::vector<Key>& keys, const std::vector<Value>& values,
                                   T initial, Same same, Op op) {
    std::vector<T> result;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool begins = i == 0 || !same(keys[i - 1], keys[i]);
        result.push_back(begins ? initial
                                : static_cast<T>(op(result.back(), static_cast<T>(values[i - 1]))));
    }
    return result;
}

}  // namespace pointsman::test
