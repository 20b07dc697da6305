// SPDX-License-Identifier: Apache-2.0
// An output iterator that drops what is written to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "pointsman/algorithm/detail/iterator_facade.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/generated_values.hpp"
#endif

namespace pointsman {

namespace detail {
/// Can be made of anything and be assigned anything, which it does not keep.
struct dropped_value {
    constexpr dropped_value() = default;
    template <class T>
    constexpr dropped_value(const T&) noexcept {}

    template <class T>
    constexpr const dropped_value& operator=(const T&) const noexcept {
        return *this;
    }
};
}  // namespace detail

/// A random access iterator for results that are not needed, such as the keys of `reduce_by_segment`. A device
/// writes them to temporary memory.
///
/// **Thread safety**: any thread may write to it.
/// Source: *discard_iterator* of oneDPL.
class discard_iterator : public detail::iterator_facade<discard_iterator, detail::dropped_value,
                                                        const detail::dropped_value&> {
  public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::output_iterator_tag;  // algorithms must not read from it

    discard_iterator() = default;
    constexpr explicit discard_iterator(std::ptrdiff_t place) noexcept : place_{place} {}

  private:
    friend detail::iterator_facade<discard_iterator, detail::dropped_value,
                                   const detail::dropped_value&>;

    [[nodiscard]] constexpr const detail::dropped_value& at(std::ptrdiff_t) const noexcept {
        return value_;
    }
    constexpr void advance(std::ptrdiff_t n) noexcept { place_ += n; }
    [[nodiscard]] constexpr std::ptrdiff_t places_after(const discard_iterator& o) const noexcept {
        return place_ - o.place_;
    }

    static constexpr detail::dropped_value value_{};

    std::ptrdiff_t place_ = 0;
};

#ifndef POINTSMAN_WITHOUT_OPENCL
namespace detail {
template <>
struct iterated<discard_iterator> {
    using value_type = std::uint8_t;  // the device converts to it what it writes
};

template <>
class device_values<discard_iterator> : public generated_values<std::uint8_t> {
  public:
    using generated_values::use;

    device_values(const opencl::queue& where, discard_iterator, std::size_t count, use)
        : generated_values{where, count} {}

    void fetch() { await_results(where()); }
};
}  // namespace detail
#endif

}  // namespace pointsman
