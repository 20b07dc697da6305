// SPDX-License-Identifier: Apache-2.0
// Runs one point-cloud filter on each executor, and on the fastest executor for the number of points.
//
// Keeps the points of a measured surface that are within a radius and above a plane, and computes
// the normal at each from the covariance of its neighbours in a grid. `point_cloud_filter 7` prints
// the table for 1e2 to 1e7 points.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pointsman/pointsman.hpp"

namespace {

/// The work of one agent, in the common subset of C++ and OpenCL C: a function on the host, and the
/// text of the same function for a device.
#define ON_HOST_AND_DEVICE(...) \
    namespace host {            \
    __VA_ARGS__                 \
    }                           \
    constexpr auto device_source = #__VA_ARGS__;

namespace host {
using std::sqrt;
using uint = std::uint32_t;
}  // namespace host
#define global

// clang-format off
ON_HOST_AND_DEVICE(
inline void filter_point(uint i, const global float* x, const global float* y, const global float* z,
                         const global uint* cells, uint side, float radius, float plane,
                         global float* normals) {
    global float* normal = normals + 3 * i;
    normal[0] = 0; normal[1] = 0; normal[2] = 0;
    if (x[i] * x[i] + y[i] * y[i] + z[i] * z[i] > radius * radius || z[i] < plane) return;

    float n = 0; float mx = 0; float my = 0; float mz = 0;
    float xx = 0; float xy = 0; float xz = 0; float yy = 0; float yz = 0; float zz = 0;
    const uint column = (uint)((x[i] + 1) * 0.5f * side);
    const uint row = (uint)((y[i] + 1) * 0.5f * side);
    const uint first = column > 0 ? column - 1 : 0;
    const uint last = column + 1 < side ? column + 1 : side - 1;
    for (uint r = row > 0 ? row - 1 : 0; r <= row + 1 && r < side; ++r) {
        for (uint k = cells[r * side + first]; k < cells[r * side + last + 1]; ++k) {
            const float dx = x[k] - x[i]; const float dy = y[k] - y[i]; const float dz = z[k] - z[i];
            n += 1; mx += dx; my += dy; mz += dz;
            xx += dx * dx; xy += dx * dy; xz += dx * dz; yy += dy * dy; yz += dy * dz; zz += dz * dz;
        }
    }
    xx -= mx * mx / n; xy -= mx * my / n; xz -= mx * mz / n;
    yy -= my * my / n; yz -= my * mz / n; zz -= mz * mz / n;

    const float trace = xx + yy + zz;
    float u = 0; float v = 0; float w = 1;
    for (int round = 0; round < 12; ++round) {
        const float a = (trace - xx) * u - xy * v - xz * w;
        const float b = (trace - yy) * v - xy * u - yz * w;
        const float c = (trace - zz) * w - xz * u - yz * v;
        const float length = sqrt(a * a + b * b + c * c) + 1e-30f;
        u = a / length; v = b / length; w = c / length;
    }
    normal[0] = u; normal[1] = v; normal[2] = w;
}
)
// clang-format on
#undef global

/// Points of a wavy surface over [-1, 1] x [-1, 1], sorted by the cells of a grid of `side` x `side`.
struct cloud {
    static constexpr float radius = 0.9f;
    static constexpr float plane = -0.1f;

    explicit cloud(std::size_t size)
        : side{static_cast<std::uint32_t>(std::max(1.0, std::sqrt(static_cast<double>(size) / 4)))},
          x(size),
          y(size),
          z(size),
          cells(std::size_t{side} * side + 1),
          normals(3 * size) {
        std::mt19937 random{42};
        std::uniform_real_distribution<float> place{-1, 1};
        std::vector<std::pair<float, float>> points(size);
        for (auto& [px, py] : points) {
            px = std::min(place(random), 0.99999f);
            py = std::min(place(random), 0.99999f);
        }
        std::ranges::sort(points, {}, [this](const auto& p) { return cell_of(p); });
        for (std::size_t i = 0; i < size; ++i) {
            std::tie(x[i], y[i]) = points[i];
            z[i] = 0.2f * std::sin(3 * x[i]) * std::cos(3 * y[i]);
            ++cells[cell_of(points[i]) + 1];
        }
        for (std::size_t c = 1; c < cells.size(); ++c) {
            cells[c] += cells[c - 1];
        }
    }

    [[nodiscard]] std::size_t size() const { return x.size(); }
    [[nodiscard]] std::size_t cell_of(const std::pair<float, float>& p) const {
        const auto scale = [this](float v) {
            return static_cast<std::uint32_t>((v + 1) * 0.5f * static_cast<float>(side));
        };
        return std::size_t{scale(p.second)} * side + scale(p.first);
    }

    std::uint32_t side;
    std::vector<float> x, y, z;
    std::vector<std::uint32_t> cells;
    std::vector<float> normals;  // the filter's result: zero where a point is not kept
};

#ifndef POINTSMAN_WITHOUT_OPENCL
/// The cloud and the filter on a device.
class device_cloud {
  public:
    device_cloud(cloud& points, const pointsman::opencl::queue& q)
        : x_{in(q, points.x)},
          y_{in(q, points.y)},
          z_{in(q, points.z)},
          cells_{in(q, points.cells)},
          normals_{q.context(), CL_MEM_READ_WRITE, points.normals.size() * sizeof(float)},
          kernel_{q.build(std::string{device_source} + R"(
              kernel void filter(global float* x, global float* y, global float* z,
                                 global uint* cells, uint side, float radius, float plane,
                                 global float* normals) {
                  filter_point(get_global_id(0), x, y, z, cells, side, radius, plane, normals);
              })")
                      .kernel("filter")} {}

    template <class Executor>
    void filter(const Executor& executor, cloud& points) const {
        pointsman::bulk_execute(
            executor,
            pointsman::opencl::kernel_call{kernel_, x_, y_, z_, cells_, points.side, cloud::radius,
                                           cloud::plane, normals_},
            points.size());
        executor.context().handle().enqueueReadBuffer(
            normals_, CL_TRUE, 0, points.normals.size() * sizeof(float), points.normals.data());
    }

  private:
    static cl::Buffer in(const pointsman::opencl::queue& q, auto& values) {
        return {q.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                values.size() * sizeof(values[0]), values.data()};
    }

    cl::Buffer x_, y_, z_, cells_, normals_;
    pointsman::opencl::kernel kernel_;
};
#endif

/// Runs the filter on any executor and returns the executor's name.
class filter {
  public:
    explicit filter(cloud& points) : points_{points} {}

    template <pointsman::executor Executor>
    std::string operator()(const Executor& executor) {
        pointsman::bulk_execute(
            executor,
            [x = points_.x.data(), y = points_.y.data(), z = points_.z.data(),
             cells = points_.cells.data(), side = points_.side,
             normals = points_.normals.data()](std::size_t i) {
                host::filter_point(static_cast<std::uint32_t>(i), x, y, z, cells, side,
                                   cloud::radius, cloud::plane, normals);
            },
            points_.size());
        return pointsman::executor_name<Executor>();
    }
#ifndef POINTSMAN_WITHOUT_OPENCL
    template <pointsman::executor_instance_of<pointsman::opencl_executor> Executor>
    std::string operator()(const Executor& executor) {
        if (!on_device_) {
            on_device_.emplace(points_, executor.context());
        }
        on_device_->filter(executor, points_);
        return pointsman::executor_name<Executor>();
    }
#endif

  private:
    cloud& points_;
#ifndef POINTSMAN_WITHOUT_OPENCL
    std::optional<device_cloud> on_device_;
#endif
};

bool all_passed = true;

void check(bool passed, const std::string& what) {
    if (!passed) {
        std::printf("FAILED: %s\n", what.c_str());
        all_passed = false;
    }
}

/// The best of a few runs, in microseconds.
template <class Run>
double time_us(std::size_t points, Run run) {
    double best = 1e300;
    for (std::size_t i = 0; i < (points <= 100'000 ? 7U : 2U); ++i) {
        const auto start = pointsman::clock::now();
        run();
        const std::chrono::duration<double, std::micro> taken = pointsman::clock::now() - start;
        best = std::min(best, taken.count());
    }
    return best;
}

/// Checks that the normals of kept points are the surface's, and the same on each executor.
void check_normals(const cloud& points, const std::vector<float>& expected, const std::string& on) {
    std::size_t kept = 0;
    double agreement = 0;
    bool same = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float* found = &points.normals[3 * i];
        const float* other = &expected[3 * i];
        const float product = found[0] * other[0] + found[1] * other[1] + found[2] * other[2];
        const bool is_kept = found[0] != 0 || found[1] != 0 || found[2] != 0;
        same = same && (is_kept ? product > 0.9f : other[2] == 0);
        if (is_kept) {
            const float dx = 0.6f * std::cos(3 * points.x[i]) * std::cos(3 * points.y[i]);
            const float dy = -0.6f * std::sin(3 * points.x[i]) * std::sin(3 * points.y[i]);
            agreement += std::abs(-dx * found[0] - dy * found[1] + found[2]) /
                         std::sqrt(1 + dx * dx + dy * dy);
            ++kept;
        }
    }
    check(kept > 0 && kept < points.size(), "some points are kept, on " + on);
    check(same, "the normals are the same on " + on);
    check(points.size() < 1000 || agreement / static_cast<double>(kept) > 0.95,
          "the normals are those of the surface, on " + on);
}

/// One row of the table: the time on each executor, and the executor that best_fit chooses.
template <class... Executors>
void print_row(std::size_t size, const Executors&... executors) {
    cloud points{size};
    filter work{points};
    work(pointsman::inline_executor<>{});
    const std::vector<float> expected = points.normals;
    std::printf("| %8zu |", size);
    const auto measure = [&]<class Executor>(const Executor& executor) {
        double taken = NAN;
        if constexpr (pointsman::is_executor_available_v<Executor>) {
            if (pointsman::executor_runtime_checks{}.check(executor)) {
                std::ranges::fill(points.normals, 0.0f);
                work(executor);
                check_normals(points, expected, pointsman::executor_name<Executor>());
                taken = time_us(size, [&] { work(executor); });
            }
        }
        std::printf(" %11.1f |", taken);
    };
    (measure(executors), ...);

    std::string chosen;
    for (std::size_t i = 0; i < 2 * sizeof...(Executors) + 3; ++i) {
        chosen = pointsman::best_fit(work, size, executors...);
    }
    std::printf(" %s |\n", chosen.c_str());
    check_normals(points, expected, "best fit");
}

template <class... Executors>
void print_table(std::size_t largest, const Executors&... executors) {
    std::printf("| points   |");
    (std::printf(" %8s us |", pointsman::executor_name<Executors>().c_str()), ...);
    std::printf(" best fit |\n|---------:|");
    for (std::size_t i = 0; i < sizeof...(Executors); ++i) {
        std::printf("------------:|");
    }
    std::printf("----------|\n");
    for (std::size_t size = 100; size <= largest; size *= 10) {
        print_row(size, executors...);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int exponent = argc > 1 ? std::atoi(argv[1]) : 4;
    if (exponent < 2 || exponent > 8) {
        std::fprintf(stderr, "the largest power of ten is %d: pass one from 2 to 8\n", exponent);
        return EXIT_FAILURE;
    }
    const pointsman::arena_executor<> cores;
    print_table(static_cast<std::size_t>(std::pow(10, exponent)), pointsman::inline_executor<>{},
                pointsman::unsequenced_executor<>{}, pointsman::openmp_executor<>{}, cores,
                pointsman::nested_executor{cores, pointsman::unsequenced_executor<>{}},
                pointsman::opencl_executor<>{});
    return all_passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
