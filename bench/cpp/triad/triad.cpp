// SPDX-License-Identifier: Apache-2.0
// Runs the triad on arenas and OpenCL queues, with transfers if the vectors are on the host.
#include "triad.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {
namespace {

constexpr float scale = 2.0F;  // a power of two: the result does not depend on fused rounding

constexpr const char* source = R"(
kernel void triad(global float *a, global const float *b, global const float *c, float s) {
    size_t i = get_global_id(0);
    a[i] += b[i] + s * c[i];
})";

using pointsman::opencl::queue;

}  // namespace

std::vector<pointsman::any_resource> triad_resources() {
    std::vector<pointsman::any_resource> found{pointsman::arena{}};
    for (const auto& device : pointsman::opencl::devices()) {
        found.emplace_back(queue{device});
    }
    return found;
}

std::string name_of(const pointsman::any_resource& resource) {
    return resource.visit(
        [](const pointsman::arena& a) { return "arena(" + std::to_string(a.concurrency()) + ")"; },
        [](const queue& q) { return q.device().label(); });
}

triad::triad(std::size_t size, placement where,
             const std::vector<pointsman::any_resource>& resources)
    : placement_{where}, a_(size, 1.0F), b_(size, 2.0F), c_(size, 3.0F) {
    const std::size_t bytes = size * sizeof(float);
    for (const auto& each : resources) {
        if (const queue* q = each.get_if<queue>()) {
            stations_.push_back({*q, q->build(source).kernel("triad"),
                                 cl::Buffer{q->context(), CL_MEM_READ_WRITE, bytes},
                                 cl::Buffer{q->context(), CL_MEM_READ_ONLY, bytes},
                                 cl::Buffer{q->context(), CL_MEM_READ_ONLY, bytes}});
        }
    }
}

triad::work triad::run(const pointsman::any_resource& where) {
    return where.visit([this](const pointsman::arena& a) -> work { return run_on(a); },
                       [this](const queue& q) -> work { return run_on(q); });
}

pointsman::arena_task<void> triad::run_on(const pointsman::arena& where) {
    return where.run([this] {
        tbb::parallel_for(tbb::blocked_range<std::size_t>{0, size(), 4096},
                          [this](const auto& block) {
                              for (std::size_t i = block.begin(); i != block.end(); ++i) {
                                  a_[i] += b_[i] + scale * c_[i];
                              }
                          });
    });
}

pointsman::opencl::event triad::run_on(const queue& where) {
    const station& here = station_of(where);
    if (placement_ == placement::host) {
        send_all(here);
    }
    auto done = where.enqueue(here.kernel, size(), here.a, here.b, here.c, scale);
    return placement_ == placement::host ? fetch(here) : done;
}

const triad::station& triad::station_of(const queue& where) const {
    return *std::ranges::find(stations_, where, &station::commands);
}

void triad::send_all(const station& to) const {
    const auto send = [&](const cl::Buffer& buffer, const std::vector<float>& from) {
        to.commands.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
            commands.enqueueWriteBuffer(buffer, CL_FALSE, 0, size() * sizeof(float), from.data(),
                                        nullptr, done);
        });
    };
    send(to.a, a_);
    send(to.b, b_);
    send(to.c, c_);
}

pointsman::opencl::event triad::fetch(const station& from) {
    return from.commands.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
        commands.enqueueReadBuffer(from.a, CL_FALSE, 0, size() * sizeof(float), a_.data(), nullptr,
                                   done);
    });
}

void triad::check(const pointsman::any_resource& where) {
    std::ranges::fill(a_, 1.0F);
    const queue* const q = where.get_if<queue>();
    if (q != nullptr) {
        send_all(station_of(*q));
    }
    pointsman::wait(run(where));
    if (q != nullptr) {
        fetch(station_of(*q)).wait();
    }
    if (std::ranges::any_of(a_, [](float x) { return x != 1.0F + 2.0F + scale * 3.0F; })) {
        throw std::runtime_error{"the triad on " + name_of(where) + " is wrong"};
    }
}

}  // namespace bench
