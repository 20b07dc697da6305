// SPDX-License-Identifier: Apache-2.0
// An iterator over the results of a function of the values of another iterator.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include "pointsman/algorithm/detail/iterator_facade.hpp"
#include "pointsman/algorithm/function.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/generated_values.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"
#endif

namespace pointsman {

namespace detail {
/// What `F` returns for a value of `It`; not a reference if it might refer to a temporary value.
template <class It, class F, class Value = referred_t<It>>
struct transformed {
    using returned = std::invoke_result_t<const F&, Value>;
    using type =
        std::conditional_t<std::is_reference_v<Value>, returned, std::remove_cvref_t<returned>>;
};
template <class It, class F>
struct transformed<It, F, void> {
    using type = returned_t<F, std::iter_value_t<It>>;
};
template <class It, class F>
using transformed_t = typename transformed<It, F>::type;
}  // namespace detail

/// A random access iterator, for input, over `f(x)` for each value `x` of the random access iterator `values`.
/// `f` is called, as a constant, whenever a value is read. If `f` is a `device_function`, `values` may be those of an
/// `opencl::buffer`, for algorithms on devices, which store the results in temporary memory.
///
/// **Thread safety**: that of `f` and `values`.
/// **Example**: the sum of squares of another type:
/// `reduce(par, transform_iterator{x.begin(), square}, transform_iterator{x.end(), square}, 0.0);`
/// Source: *transform_iterator* of oneDPL.
template <class It, std::copy_constructible F>
class transform_iterator
    : public detail::iterator_facade<transform_iterator<It, F>,
                                     std::remove_cvref_t<detail::transformed_t<It, F>>,
                                     detail::transformed_t<It, F>> {
  public:
    transform_iterator() = default;
    constexpr transform_iterator(It values, F f) : values_{std::move(values)}, f_{std::move(f)} {}

    /// The iterator over the arguments.
    [[nodiscard]] constexpr const It& base() const noexcept { return values_; }

  private:
    using reference_type = detail::transformed_t<It, F>;
    friend detail::iterator_facade<transform_iterator, std::remove_cvref_t<reference_type>,
                                   reference_type>;

    [[nodiscard]] constexpr reference_type at(std::ptrdiff_t n) const {
        return std::invoke(f_.get(), *(values_ + n));
    }
    constexpr void advance(std::ptrdiff_t n) { values_ += n; }
    [[nodiscard]] constexpr std::ptrdiff_t places_after(const transform_iterator& other) const {
        return values_ - other.values_;
    }

    It values_;
    detail::assignable_function<F> f_;
};

#ifndef POINTSMAN_WITHOUT_OPENCL
namespace detail {
template <class It, device_function F>
inline constexpr bool is_on_device<transform_iterator<It, F>> = is_on_device<It>;

/// The results of a function, computed on the device.
template <device_iterator It, device_function F>
class device_values<transform_iterator<It, F>>
    : public generated_input<iterated_t<transform_iterator<It, F>>> {
    using value = iterated_t<transform_iterator<It, F>>;

  public:
    using use = typename generated_values<value>::use;

    device_values(const opencl::queue& where, const transform_iterator<It, F>& first,
                  std::size_t count, use)
        : generated_input<value>{where, count},
          arguments_{input_values(where, first.base(), count)} {
        static const engine::elementwise kernel{expression_of<F, iterated_t<It>>(),
                                                engine::element_of<value>()};
        const engine::array argument = array_from(arguments_);
        this->generate(kernel, {&argument, 1});
    }

  private:
    device_values<It> arguments_;
};
}  // namespace detail
#endif

}  // namespace pointsman
