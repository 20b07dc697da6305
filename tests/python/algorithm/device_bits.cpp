// SPDX-License-Identifier: Apache-2.0
// Runs algorithms on the first device from C++ and writes their results, which
// test_reduction_bits.py compares with Python's.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "pointsman/algorithm/unique.hpp"

namespace {

/// Returns true for numbers above a quarter.
struct is_above_quarter {
    static std::string opencl_name() { return "is_above_quarter"; }
    static std::string opencl_source() { return "#define is_above_quarter(a) ((a) > 0.25f)\n"; }
};

template <class T>
std::vector<T> read(const std::string& file) {
    std::ifstream in{file, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{in}, {}};
    const auto* const first = reinterpret_cast<const T*>(bytes.data());
    return {first, first + bytes.size() / sizeof(T)};
}

/// The folder that holds the arrays x and y and receives the results.
struct folder {
    std::string path;

    template <class T>
    void write(const std::string& name, const std::vector<T>& values) const {
        std::ofstream out{path + "/" + name, std::ios::binary};
        out.write(reinterpret_cast<const char*>(values.data()),
                  static_cast<std::streamsize>(values.size() * sizeof(T)));
    }
};

/// `Sum` is the type of NumPy's sums of `T`.
template <class T, class Sum>
void run(const pointsman::execution::device_policy<>& policy, const folder& results) {
    const std::vector<T> x = read<T>(results.path + "/x");
    const std::vector<T> y = read<T>(results.path + "/y");
    results.write<Sum>("reduce", {pointsman::reduce(policy, x.begin(), x.end(), Sum{0})});
    results.write<Sum>("transform_reduce", {pointsman::transform_reduce(policy, x.begin(), x.end(),
                                                                        y.begin(), Sum{0})});
    results.write<std::int64_t>(
        "count_if", {pointsman::count_if(policy, x.begin(), x.end(), is_above_quarter{})});
    std::vector<T> values(x.size());
    pointsman::transform(policy, x.begin(), x.end(), y.begin(), values.begin(),
                         pointsman::multiplies{});
    results.write("transform", values);
    values.resize(x.size());
    values.erase(pointsman::copy_if(policy, x.begin(), x.end(), values.begin(), is_above_quarter{}),
                 values.end());
    results.write("copy_if", values);
    values = x;
    values.erase(pointsman::unique(policy, values.begin(), values.end()), values.end());
    results.write("unique", values);
}

}  // namespace

/// Arguments: the name of the values' dtype, "opencl_queue" or "queue_in_groups", the folder, and the name of
/// the device that Python uses, which has to be the first here, too.
int main(int, char** arguments) {
    namespace opencl = pointsman::opencl;
    const std::string type = arguments[1];
    const auto items = std::string{arguments[2]} == "queue_in_groups"
                           ? opencl::item_work::in_groups
                           : opencl::item_work::by_device;
    const pointsman::execution::device_policy<> policy{
        opencl::queue{opencl::queue{}.device(), {.items = items}}};
    const std::string device = policy.queue().device().name();
    if (device != arguments[4]) {
        std::cerr << "the first device is " << device << ", in Python " << arguments[4] << '\n';
        return 1;
    }
    const folder results{arguments[3]};
    if (type == "float32") {
        run<float, float>(policy, results);
    } else if (type == "float64") {
        run<double, double>(policy, results);
    } else if (type == "int32") {
        run<std::int32_t, std::int64_t>(policy, results);
    } else {
        run<pointsman::half, pointsman::half>(policy, results);
    }
}
