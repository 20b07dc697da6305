// SPDX-License-Identifier: Apache-2.0
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

using fairlead::opencl::queue;

}  // namespace

std::vector<fairlead::any_resource> triad_resources() {
    std::vector<fairlead::any_resource> found{fairlead::arena{}};
    for (const auto& device : fairlead::opencl::devices()) {
        found.emplace_back(queue{device});
    }
    return found;
}

std::string name_of(const fairlead::any_resource& resource) {
    return resource.visit(
        [](const fairlead::arena& a) { return "arena(" + std::to_string(a.concurrency()) + ")"; },
        [](const queue& q) { return q.device().name(); });
}

triad::triad(std::size_t size, const std::vector<fairlead::any_resource>& resources)
    : a_(size, 1.0F), b_(size, 2.0F), c_(size, 3.0F) {
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

triad::work triad::run(const fairlead::any_resource& where) {
    return where.visit([this](const fairlead::arena& a) -> work { return run_on(a); },
                       [this](const queue& q) -> work { return run_on(q); });
}

fairlead::arena_task<void> triad::run_on(const fairlead::arena& where) {
    return where.run([this] {
        tbb::parallel_for(tbb::blocked_range<std::size_t>{0, size(), 4096}, [this](const auto& part) {
            for (std::size_t i = part.begin(); i != part.end(); ++i) {
                a_[i] += b_[i] + scale * c_[i];
            }
        });
    });
}

fairlead::opencl::event triad::run_on(const queue& where) {
    const station& here = *std::ranges::find(stations_, where, &station::queue);
    const std::size_t bytes = size() * sizeof(float);
    const auto send = [&](const cl::Buffer& to, const std::vector<float>& from) {
        where.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
            commands.enqueueWriteBuffer(to, CL_FALSE, 0, bytes, from.data(), nullptr, done);
        });
    };
    send(here.a, a_);
    send(here.b, b_);
    send(here.c, c_);
    where.enqueue(here.kernel, size(), here.a, here.b, here.c, scale);
    return where.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
        commands.enqueueReadBuffer(here.a, CL_FALSE, 0, bytes, a_.data(), nullptr, done);
    });
}

void triad::check(const fairlead::any_resource& where) {
    std::ranges::fill(a_, 1.0F);
    fairlead::wait(run(where));
    if (std::ranges::any_of(a_, [](float x) { return x != 1.0F + 2.0F + scale * 3.0F; })) {
        throw std::runtime_error{"the triad on " + name_of(where) + " is wrong"};
    }
    std::ranges::fill(a_, 1.0F);
}

}  // namespace bench
