// SPDX-License-Identifier: Apache-2.0
// An iterator over values at given indices: reading it gathers, writing it scatters.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/algorithm/detail/iterator_facade.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/generated_values.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"
#endif

namespace pointsman {

/// A random access iterator over `values[indices[0]]`, `values[indices[1]]` and so on. Each index must be one of
/// the values, and writing needs indices that differ. `values` may be those of an `opencl::buffer`, for algorithms
/// on devices, and `indices` then those of a buffer, too.
///
/// **Thread safety**: that of `values` and `indices`.
/// **Example**: a gather: `copy(par, permutation_iterator{x, i}, permutation_iterator{x, i + n}, out);`, and a
/// scatter: `copy(par, y, y + n, permutation_iterator{out, i});`
/// Source: *permutation_iterator* of oneDPL.
template <class Values, class Indices>
class permutation_iterator
    : public detail::iterator_facade<permutation_iterator<Values, Indices>,
                                     std::iter_value_t<Values>, detail::referred_t<Values>> {
  public:
    permutation_iterator() = default;
    constexpr permutation_iterator(Values values, Indices indices)
        : values_{std::move(values)}, indices_{std::move(indices)} {}

    /// The iterators over the values and over the indices.
    [[nodiscard]] constexpr const Values& values() const noexcept { return values_; }
    [[nodiscard]] constexpr const Indices& indices() const noexcept { return indices_; }

  private:
    friend detail::iterator_facade<permutation_iterator, std::iter_value_t<Values>,
                                   detail::referred_t<Values>>;

    [[nodiscard]] constexpr detail::referred_t<Values> at(std::ptrdiff_t n) const {
        return *(values_ + static_cast<std::ptrdiff_t>(*(indices_ + n)));
    }
    constexpr void advance(std::ptrdiff_t n) { indices_ += n; }
    [[nodiscard]] constexpr std::ptrdiff_t places_after(const permutation_iterator& other) const {
        return indices_ - other.indices_;
    }

    Values values_;
    Indices indices_;
};

#ifndef POINTSMAN_WITHOUT_OPENCL
namespace detail {
template <class T, class Indices>
inline constexpr bool is_on_device<permutation_iterator<opencl::buffer_iterator<T>, Indices>> =
    device_iterator<Indices>;

template <class Values, class Indices>
inline constexpr bool reads_elsewhere<permutation_iterator<Values, Indices>> = true;

/// Values of a buffer, which kernels read at given indices.
template <device_number T, device_iterator Indices>
class fused_values<permutation_iterator<opencl::buffer_iterator<T>, Indices>> {
    using values_iterator = opencl::buffer_iterator<T>;

  public:
    static constexpr bool is_computed = true;

    fused_values(const opencl::queue& where,
                 const permutation_iterator<values_iterator, Indices>& first, std::size_t count)
        : permuted_{input_values(where, first.values(), left_in(first.values()))},
          indices_{where, first.indices(), count} {}

    [[nodiscard]] static std::string value_in(engine::expression& user) {
        engine::element values = engine::element_of<T>();
        values.access = engine::element_access::array;
        const std::string array = add_input(user, values);
        return value_at<T>(array, fused_values<Indices>::value_in(user));
    }
    void add_to(std::vector<engine::array>& arrays) const {
        arrays.push_back(permuted());
        indices_.add_to(arrays);
    }
    [[nodiscard]] engine::array permuted() const { return array_from(permuted_); }

  private:
    static std::size_t left_in(const values_iterator& values) {
        const std::size_t size = values.owner().size();
        return values.index() < size ? size - values.index() : 0;
    }

    device_values<values_iterator> permuted_;
    fused_values<Indices> indices_;
};

/// Values of a buffer at given indices, gathered on the device, which scatters results.
template <device_number T, device_iterator Indices>
class device_values<permutation_iterator<opencl::buffer_iterator<T>, Indices>>
    : public generated_values<T> {
  public:
    using iterator = permutation_iterator<opencl::buffer_iterator<T>, Indices>;
    using use = typename generated_values<T>::use;

    device_values(const opencl::queue& where, const iterator& first, std::size_t count, use wanted)
        : generated_values<T>{where, count}, read_{where, first, count}, to_{first.indices()} {
        if (wanted == use::input) {
            this->generate(read_);
        }
    }

    /// Scatters the results, and blocks like that of a buffer.
    void fetch() {
        static const std::string text = program_text(
            {}, definitions({{"value_t", engine::element_of<T>().stored},
                             {"index_t", engine::element_of<iterated_t<Indices>>().stored}}) +
                    kernels::scatter);
        const std::size_t size = group_size(this->where());
        const auto indices = input_values(this->where(), to_, this->count());
        const engine::array permuted = read_.permuted();
        launch(this->where(), text, "scatter", (this->count() + size - 1) / size,
               {this->memory(), indices.memory(), indices.offset(), permuted.memory,
                permuted.offset, cl_ulong{this->count()}});
        await_results(this->where());
    }

  private:
    fused_values<iterator> read_;
    Indices to_;
};
}  // namespace detail
#endif

}  // namespace pointsman
