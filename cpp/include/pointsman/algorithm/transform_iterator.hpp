// SPDX-License-Identifier: Apache-2.0
// An iterator over the results of a function of the values of another iterator.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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
/// `opencl::buffer`, for algorithms on devices.
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

template <class It, device_function F>
    requires device_row<std::iter_value_t<transform_iterator<It, F>>>
struct iterated<transform_iterator<It, F>> {
    using value_type = computed_t<std::iter_value_t<transform_iterator<It, F>>>;
};

template <class It, class F>
inline constexpr bool reads_elsewhere<transform_iterator<It, F>> = reads_elsewhere<It>;

/// The results of a function, which kernels call.
template <device_iterator It, device_function F>
class fused_values<transform_iterator<It, F>> {
  public:
    static constexpr bool is_computed = true;

    fused_values(const opencl::queue& where, const transform_iterator<It, F>& first,
                 std::size_t count)
        : arguments_{where, first.base(), count} {}

    [[nodiscard]] static std::string value_in(engine::expression& user) {
        using function = called_for<F, It>;
        const std::string argument = fused_values<It>::value_in(user);
        const std::string ending = engine::add_function(user, definition_of<function>());
        return rounded_call<function, iterated_t<It>>(argument, ending);
    }
    void add_to(std::vector<engine::array>& arrays) const { arguments_.add_to(arrays); }

  private:
    fused_values<It> arguments_;
};

template <device_iterator It, device_function F>
class device_values<transform_iterator<It, F>> : public generated_input<transform_iterator<It, F>> {
  public:
    using generated_input<transform_iterator<It, F>>::generated_input;
};
}  // namespace detail
#endif

}  // namespace pointsman
