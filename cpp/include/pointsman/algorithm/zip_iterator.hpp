// SPDX-License-Identifier: Apache-2.0
// An iterator over tuples of the values of several iterators.
#pragma once

#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pointsman/algorithm/detail/iterator_facade.hpp"
#include "pointsman/algorithm/host/policy.hpp"

namespace pointsman {

/// What a `zip_iterator` refers to: a tuple of references. Assignments and `swap` change the values, also those of
/// a constant or temporary `zip_reference`.
template <class... References>
class zip_reference : public std::tuple<References...> {
    using base = std::tuple<References...>;

  public:
    using base::base;
    constexpr zip_reference(const zip_reference&) = default;
    constexpr ~zip_reference() = default;

    /// Assigns each value of another tuple or pair.
    constexpr zip_reference& operator=(const zip_reference& other) {
        assign(other, all{});
        return *this;
    }
    constexpr const zip_reference& operator=(const zip_reference& other) const {
        assign(other, all{});
        return *this;
    }
    template <class... Values>
        requires(sizeof...(Values) == sizeof...(References))
    constexpr const zip_reference& operator=(const std::tuple<Values...>& values) const {
        assign(values, all{});
        return *this;
    }
    template <class First, class Second>
        requires(sizeof...(References) == 2)
    constexpr const zip_reference& operator=(const std::pair<First, Second>& values) const {
        assign(values, all{});
        return *this;
    }

    /// Exchanges each pair of values.
    friend constexpr void swap(zip_reference a, zip_reference b) { exchange(a, b, all{}); }

  private:
    using all = std::index_sequence_for<References...>;

    template <class Values, std::size_t... Is>
    constexpr void assign(const Values& values, std::index_sequence<Is...>) const {
        const base& mine = *this;
        ((std::get<Is>(mine) = std::get<Is>(values)), ...);
    }
    template <std::size_t... Is>
    static constexpr void exchange(base& a, base& b, std::index_sequence<Is...>) {
        using std::swap;
        (swap(std::get<Is>(a), std::get<Is>(b)), ...);
    }
};

/// A random access iterator over the tuples of the values of `iterators` at the same places, for algorithms on
/// the host. Reading and writing it reads and writes those values. Algorithms that move values, such as sorts,
/// move them together, and copy each: all must be copyable.
///
/// **Thread safety**: that of `iterators`.
/// **Example**: `auto first = pointsman::zip_iterator{names.begin(), ages.begin()};`
/// `pointsman::for_each(par, first, first + n, [](auto each) { auto& [name, age] = each; ... });`
/// Source: *zip_iterator* of oneDPL.
template <std::random_access_iterator... Its>
    requires(sizeof...(Its) > 0)
class zip_iterator
    : public detail::iterator_facade<zip_iterator<Its...>, std::tuple<std::iter_value_t<Its>...>,
                                     zip_reference<std::iter_reference_t<Its>...>> {
  public:
    zip_iterator() = default;
    constexpr explicit zip_iterator(Its... iterators) : iterators_{std::move(iterators)...} {}

    /// The iterators, each at its place.
    [[nodiscard]] constexpr const std::tuple<Its...>& base() const noexcept { return iterators_; }

  private:
    using reference_type = zip_reference<std::iter_reference_t<Its>...>;
    friend detail::iterator_facade<zip_iterator, std::tuple<std::iter_value_t<Its>...>,
                                   reference_type>;

    [[nodiscard]] constexpr reference_type at(std::ptrdiff_t n) const {
        const auto refer = [n](const Its&... each) { return reference_type{each[n]...}; };
        return std::apply(refer, iterators_);
    }
    constexpr void advance(std::ptrdiff_t n) {
        std::apply([n](Its&... each) { ((each += n), ...); }, iterators_);
    }
    [[nodiscard]] constexpr std::ptrdiff_t places_after(const zip_iterator& other) const {
        return std::get<0>(iterators_) - std::get<0>(other.iterators_);
    }

    std::tuple<Its...> iterators_;
};

namespace detail {
template <class... Its>
inline constexpr bool stands_for_its_own<zip_iterator<Its...>> = (shared_elements<Its> && ...);
}  // namespace detail

}  // namespace pointsman

namespace std {

// Sequences of values are read through references to them or as tuples.
template <class... References, class... Values, template <class> class OfReference,
          template <class> class OfValue>
    requires(sizeof...(References) == sizeof...(Values))
struct basic_common_reference<pointsman::zip_reference<References...>, tuple<Values...>,
                              OfReference, OfValue> {
    using type = tuple<Values...>;
};
template <class... References, class... Values, template <class> class OfValue,
          template <class> class OfReference>
    requires(sizeof...(References) == sizeof...(Values))
struct basic_common_reference<tuple<Values...>, pointsman::zip_reference<References...>, OfValue,
                              OfReference> {
    using type = tuple<Values...>;
};

template <class... References>
struct tuple_size<pointsman::zip_reference<References...>> : tuple_size<tuple<References...>> {};
template <size_t I, class... References>
struct tuple_element<I, pointsman::zip_reference<References...>>
    : tuple_element<I, tuple<References...>> {};

}  // namespace std
