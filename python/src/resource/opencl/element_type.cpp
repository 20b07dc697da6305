// SPDX-License-Identifier: Apache-2.0
// Reads the type names that compilers report, such as "uchar4*", and the kinds of NumPy dtypes.
#include "resource/opencl/element_type.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace pointsman::python {

namespace py = pybind11;

namespace {

using kind = element_type::kind;

kind kind_of(char of_numpy) {
    switch (of_numpy) {
        case 'f':
            return kind::real;
        case 'c':
            return kind::complex;
        case 'V':
            return kind::other;
        default:
            return kind::integer;
    }
}

/// The scalar and the number of lanes in the name of a vector type; one lane for any other name.
std::pair<std::string_view, std::size_t> lanes_in(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, std::size_t>, 5> endings{
        {{"16", 16}, {"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}}};
    for (const auto& [ending, lanes] : endings) {
        if (name.ends_with(ending)) {
            return {name.substr(0, name.size() - ending.size()), lanes};
        }
    }
    return {name, 1};
}

}  // namespace

element_type::element_type(py::handle dtype)
    : stored{kind_of(dtype.attr("kind").cast<char>())},
      size_bytes{dtype.attr("itemsize").cast<std::size_t>()} {
    const char of_numpy = dtype.attr("kind").cast<char>();
    if (of_numpy == 'S' || of_numpy == 'U') {  // an element is a string of several characters
        size_bytes = of_numpy == 'S' ? 1 : 4;
    }
}

pointed_type::pointed_type(const scalar_type& scalar, std::size_t lanes)
    : scalar_{&scalar},
      lanes_{lanes},
      stored_{std::string_view{scalar.numpy}.starts_with("float") ? kind::real : kind::integer} {}

std::optional<pointed_type> pointed_type::find(std::string_view declared) {
    if (!declared.ends_with('*')) {
        return std::nullopt;
    }
    declared.remove_suffix(1);
    declared = declared.substr(0, declared.find_last_not_of(' ') + 1);  // "float *" of some drivers
    const auto [name, lanes] = lanes_in(declared);
    const scalar_type* const scalar = scalar_type::find(std::string{name});
    return scalar == nullptr ? std::nullopt : std::optional{pointed_type{*scalar, lanes}};
}

bool pointed_type::takes(const element_type& given) const noexcept {
    switch (given.stored) {
        case kind::other:
            return given.size_bytes == size_bytes();
        case kind::complex:
            return lanes_ > 1 && stored_ == kind::real &&
                   given.size_bytes == 2 * scalar_->size_bytes;
        default:
            return given.stored == stored_ && given.size_bytes == scalar_->size_bytes;
    }
}

}  // namespace pointsman::python
