// SPDX-License-Identifier: Apache-2.0
// An iterator over consecutive integers, which need no memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pointsman/algorithm/detail/iterator_facade.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/generated_values.hpp"
#endif

namespace pointsman {

/// A random access iterator over the integers from `first` on: `*(counting_iterator{n} + k)` is `n + k`. The end of
/// a range must be a value of `T`, too. On a device, the device computes the integers.
///
/// **Thread safety**: like an integer.
/// **Example**: the squares of 0 to 999:
/// `pointsman::transform(policy, pointsman::counting_iterator{0}, pointsman::counting_iterator{1000}, out, square);`
/// Source: *counting_iterator* of oneDPL.
template <std::integral T>
    requires(!std::same_as<T, bool>)
class counting_iterator : public detail::iterator_facade<counting_iterator<T>, T, T> {
  public:
    counting_iterator() = default;
    constexpr explicit counting_iterator(T first) noexcept : value_{first} {}

  private:
    friend detail::iterator_facade<counting_iterator, T, T>;

    [[nodiscard]] constexpr T at(std::ptrdiff_t n) const noexcept {
        return static_cast<T>(static_cast<std::uint64_t>(value_) + static_cast<std::uint64_t>(n));
    }
    constexpr void advance(std::ptrdiff_t n) noexcept { value_ = at(n); }
    [[nodiscard]] constexpr std::ptrdiff_t places_after(const counting_iterator& o) const noexcept {
        return static_cast<std::ptrdiff_t>(static_cast<std::uint64_t>(value_) -
                                           static_cast<std::uint64_t>(o.value_));
    }

    T value_{};
};

#ifndef POINTSMAN_WITHOUT_OPENCL
namespace detail {
/// Consecutive integers, which kernels compute.
template <device_number T>
class fused_values<counting_iterator<T>> {
  public:
    static constexpr bool is_computed = true;

    fused_values(const opencl::queue&, counting_iterator<T> first, std::size_t)
        : first_{static_cast<cl_ulong>(*first)} {}

    [[nodiscard]] static std::string value_in(engine::expression& user) {
        engine::element numbers = engine::element_of<T>();
        numbers.access = engine::element_access::counted;
        return add_input(user, numbers);
    }
    void add_to(std::vector<engine::array>& arrays) const { arrays.push_back({none_, first_}); }

  private:
    cl::Buffer none_;
    cl_ulong first_;
};

template <device_number T>
class device_values<counting_iterator<T>> : public generated_input<counting_iterator<T>> {
  public:
    using generated_input<counting_iterator<T>>::generated_input;
};
}  // namespace detail
#endif

}  // namespace pointsman
