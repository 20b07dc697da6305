// SPDX-License-Identifier: Apache-2.0
// An iterator over tuples of the values of several iterators.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/algorithm/detail/iterator_facade.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/structure.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/fused_values.hpp"
#include "pointsman/algorithm/opencl/generated_values.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"
#endif

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

    /// Assigns each field of a POINTSMAN_STRUCT.
    template <detail::structure_type Struct>
    constexpr const zip_reference& operator=(const Struct& fields) const {
        assign(detail::fields_of(fields), all{});
        return *this;
    }

  private:
    using all = std::index_sequence_for<References...>;

    template <class Values, std::size_t... Is>
    constexpr void assign(const Values& values, std::index_sequence<Is...>) const {
        const base& mine = *this;
        (set(std::get<Is>(mine), std::get<Is>(values)), ...);
    }
    /// No compiler converts a wider number to `half` implicitly.
    template <class Element, class Value>
    static constexpr void set(Element& element, const Value& value) {
        if constexpr (is_half_v<Element> && std::is_arithmetic_v<Value>) {
            element = static_cast<Element>(value);
        } else {
            element = value;
        }
    }
    template <std::size_t... Is>
    static constexpr void exchange(base& a, base& b, std::index_sequence<Is...>) {
        using std::swap;
        (swap(std::get<Is>(a), std::get<Is>(b)), ...);
    }
};

namespace detail {
/// What a `zip_iterator` refers to; `void` if only a device can read it.
template <class... References>
struct zipped {
    using type = zip_reference<References...>;
};
template <class... References>
    requires(std::is_void_v<References> || ...)
struct zipped<References...> {
    using type = void;
};
template <class... Its>
using zipped_t = typename zipped<referred_t<Its>...>::type;
}  // namespace detail

/// A random access iterator over the tuples of the values of `iterators` at the same places. Reading and writing it
/// reads and writes those values. Algorithms that move values, such as sorts, move them together, and copy each:
/// all must be copyable.
///
/// For algorithms on devices, `iterators` may be those of an `opencl::buffer`, too, and functions take a
/// POINTSMAN_STRUCT in place of each tuple; `equal_to`, `less` and `greater` compare tuples as `std::tuple` does.
/// An elementwise algorithm, a reduction or a search reads the values where they are; others, and results, go
/// through temporary memory, from where a device writes one part of an output after the other: no part may be the
/// indices of another one. Values of `half` are computed with as `float` and rounded when they are written.
///
/// **Thread safety**: that of `iterators`.
/// **Example**: `auto first = pointsman::zip_iterator{names.begin(), ages.begin()};`
/// `pointsman::for_each(par, first, first + n, [](auto each) { auto& [name, age] = each; ... });`
/// and on a device:
/// `POINTSMAN_STRUCT(particle, { float mass; float speed; });`
/// `POINTSMAN_FUNCTION(float, momentum, (particle p), { return p.mass * p.speed; });`
/// `auto particles = pointsman::zip_iterator{begin(masses), begin(speeds)};`
/// `pointsman::transform(policy, particles, particles + n, begin(momenta), momentum);`
/// Source: *zip_iterator* of oneDPL.
template <class... Its>
    requires(sizeof...(Its) > 0)
class zip_iterator
    : public detail::iterator_facade<zip_iterator<Its...>, std::tuple<std::iter_value_t<Its>...>,
                                     detail::zipped_t<Its...>> {
  public:
    zip_iterator() = default;
    constexpr explicit zip_iterator(Its... iterators) : iterators_{std::move(iterators)...} {}

    /// The iterators, each at its place.
    [[nodiscard]] constexpr const std::tuple<Its...>& base() const noexcept { return iterators_; }

  private:
    using reference_type = detail::zipped_t<Its...>;
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

#ifndef POINTSMAN_WITHOUT_OPENCL
template <class... Its>
inline constexpr bool is_on_device<zip_iterator<Its...>> =
    (is_on_device<Its> || ...) && (device_iterator<Its> && ...);

template <class... Its>
    requires(device_number<iterated_t<Its>> && ...)
struct iterated<zip_iterator<Its...>> {
    using value_type = computed_t<std::tuple<iterated_t<Its>...>>;
};

template <class... Its>
inline constexpr bool reads_elsewhere<zip_iterator<Its...>> = (reads_elsewhere<Its> || ...);

/// The values of `iterators`, read where they are and composed to tuples.
template <device_iterator... Its>
class fused_values<zip_iterator<Its...>> {
  public:
    static constexpr bool is_computed = true;

    fused_values(const opencl::queue& where, const zip_iterator<Its...>& first, std::size_t count)
        : parts_{std::apply(
              [&](const Its&... each) {
                  return std::tuple<fused_values<Its>...>{fused_values<Its>{where, each, count}...};
              },
              first.base())} {}

    [[nodiscard]] static std::string value_in(engine::expression& user) {
        const std::string values[] = {fused_values<Its>::value_in(user)...};
        std::string list;
        for (const std::string& each : values) {
            list += (list.empty() ? "" : ", ") + each;
        }
        return tuple_text(opencl_type<iterated_t<zip_iterator<Its...>>>(), list);
    }
    void add_to(std::vector<engine::array>& arrays) const {
        std::apply([&](const auto&... each) { (each.add_to(arrays), ...); }, parts_);
    }

  private:
    std::tuple<fused_values<Its>...> parts_;
};

/// Tuples in temporary memory: composed of the values of `iterators`, and distributed to them at the end.
template <device_iterator... Its>
class device_values<zip_iterator<Its...>>
    : public generated_values<iterated_t<zip_iterator<Its...>>> {
    using tuple = iterated_t<zip_iterator<Its...>>;
    using read = fused_values<zip_iterator<Its...>>;
    using all = std::index_sequence_for<Its...>;

  public:
    using use = typename generated_values<tuple>::use;

    device_values(const opencl::queue& where, const zip_iterator<Its...>& first, std::size_t count,
                  use wanted)
        : generated_values<tuple>{where, count}, first_{first} {
        if (wanted == use::input) {
            this->generate(read_.emplace(where, first, count));
        } else {
            take_parts(all{});
        }
    }

    void fetch() {
        if (!parts_) {
            take_parts(all{});
        }
        write(all{});
    }

  private:
    /// Checks the ranges of all parts, before any is written.
    template <std::size_t... Is>
    void take_parts(std::index_sequence<Is...>) {
        parts_.emplace(device_values<Its>{this->where(), std::get<Is>(first_.base()), this->count(),
                                          device_values<Its>::use::output}...);
    }
    template <std::size_t... Is>
    void write(std::index_sequence<Is...>) {
        (write_part<Is, Its>(std::get<Is>(*parts_)), ...);
    }
    template <std::size_t I, class It>
    void write_part(device_values<It>& to) const {
        static const engine::elementwise kernel{
            {"", {engine::element_of<tuple>()}, "", "v0.v" + std::to_string(I)},
            engine::element_of<iterated_t<It>>()};
        const engine::array from{this->memory(), this->offset()};
        kernel.enqueue(this->where(), {&from, 1}, array_from(to), this->count());
        to.fetch();
    }

    zip_iterator<Its...> first_;
    std::optional<read> read_;
    std::optional<std::tuple<device_values<Its>...>> parts_;
};
#endif
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
