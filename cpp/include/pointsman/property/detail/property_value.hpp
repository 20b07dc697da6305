// SPDX-License-Identifier: Apache-2.0
// Base classes of a property with a fixed list of values, each of which is a property too.
#pragma once

#include <concepts>

namespace pointsman {

/// The values of a property, in the order in which they are queried if an executor does not answer for
/// the property itself.
template <class... Values>
struct property_values {};

/// Base class of a property `Property` whose member type `values` lists its possible values.
template <class Property>
class property_with_values {
  public:
    static constexpr bool is_requirable = false;
    static constexpr bool is_preferable = false;
    using polymorphic_query_result_type = Property;

    /// The index of the value, from 0; -1 if no value is set.
    [[nodiscard]] constexpr int number() const noexcept { return number_; }

  protected:
    constexpr property_with_values() = default;
    explicit constexpr property_with_values(int number) noexcept : number_{number} {}

  private:
    int number_ = -1;
};

/// Base class of value number `Number` of `Property`, which must be constructible from the number.
template <class Property, int Number>
struct property_value {
    static constexpr bool is_requirable = true;
    static constexpr bool is_preferable = true;
    using property_type = Property;
    using polymorphic_query_result_type = Property;

    [[nodiscard]] static constexpr Property value() noexcept { return Property{Number}; }
    constexpr operator Property() const noexcept { return value(); }
};

namespace detail {
template <class P, class Property>
concept value_of =
    std::derived_from<Property, property_with_values<Property>> && std::convertible_to<P, Property>;
}  // namespace detail

/// Returns true if two values of one property are equal: `query(executor, blocking) == blocking.never`.
template <class A, class B>
    requires detail::value_of<A, typename A::polymorphic_query_result_type> &&
             detail::value_of<B, typename A::polymorphic_query_result_type>
[[nodiscard]] constexpr bool operator==(const A& a, const B& b) noexcept {
    using property_type = typename A::polymorphic_query_result_type;
    return property_type(a).number() == property_type(b).number();
}

}  // namespace pointsman
