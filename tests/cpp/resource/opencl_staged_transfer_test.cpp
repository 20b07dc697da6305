// SPDX-License-Identifier: Apache-2.0
// Chunked transfers deliver every byte to its position, and still work after a transfer that failed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

#include "opencl_fixture.hpp"
#include "pointsman/resource/opencl/detail/staged_transfer.hpp"
#include "support/forked_child.hpp"
#include "support/on_threads.hpp"

namespace pointsman::test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t offset_bytes = 13;
constexpr std::size_t size_in_pieces = 5 * mebibyte + 1;

/// Random numbers whose period in bytes is prime, so that no chunk size is a multiple of it.
std::vector<unsigned char> random_bytes(std::size_t size) {
    std::mt19937 random{static_cast<unsigned>(size)};
    std::vector<unsigned char> period(65'537);
    for (unsigned char& byte : period) {
        byte = static_cast<unsigned char>(random());
    }
    std::vector<unsigned char> bytes(size);
    for (std::size_t i = 0; i < size; i += period.size()) {
        std::memcpy(bytes.data() + i, period.data(), std::min(period.size(), size - i));
    }
    return bytes;
}

/// Sends bytes to a position on the device and fetches them from there.
void expect_to_arrive(const opencl::queue& q, std::size_t size) {
    const auto sent = random_bytes(size + 1);
    const cl::Buffer memory{q.context(), CL_MEM_READ_WRITE, offset_bytes + size + 1};
    q.handle().enqueueFillBuffer(memory, cl_uchar{7}, 0, offset_bytes + size + 1);
    q.wait();
    opencl::write_staged(q, sent.data() + 1, memory, offset_bytes, size, std::memcpy);
    std::vector<unsigned char> there(offset_bytes + size + 1);
    q.handle().enqueueReadBuffer(memory, CL_TRUE, 0, there.size(), there.data());
    std::vector<unsigned char> wanted(there.size(), 7);
    std::copy(sent.begin() + 1, sent.end(), wanted.begin() + offset_bytes);
    EXPECT_TRUE(there == wanted) << size << " bytes to the device";

    std::vector<unsigned char> fetched(size + 2, 9);
    opencl::read_staged(q, memory, offset_bytes, fetched.data() + 1, size, std::memcpy);
    std::vector<unsigned char> wanted_back(size + 2, 9);
    std::copy(sent.begin() + 1, sent.end(), wanted_back.begin() + 1);
    EXPECT_TRUE(fetched == wanted_back) << size << " bytes from the device";
}

using OpenclStagedTransfer = OpenclTest;

TEST_F(OpenclStagedTransfer, delivers_every_byte_to_its_position) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{1000}, mebibyte - 1, mebibyte, mebibyte + 1,
          2 * mebibyte, 3 * mebibyte, 3 * mebibyte + 1, 7 * mebibyte + 12'345, 17 * mebibyte,
          65 * mebibyte + 3}) {
        expect_to_arrive(queue(), size);
    }
}

TEST_F(OpenclStagedTransfer, works_on_out_of_order_queues) {
    std::optional<opencl::queue> made;
    try {
        made.emplace(queue().device(), opencl::queue_options{.out_of_order = true});
    } catch (const opencl::error&) {
        GTEST_SKIP() << "the device runs commands in order";
    }
    expect_to_arrive(*made, size_in_pieces);
}

TEST_F(OpenclStagedTransfer, follows_commands_enqueued_before) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const std::vector<float> ones(size_in_pieces / sizeof(float), 1.0F);
    const cl::Buffer memory{queue().context(), CL_MEM_READ_WRITE, size_in_pieces};
    opencl::write_staged(queue(), ones.data(), memory, 0, ones.size() * sizeof(float), std::memcpy);
    queue().enqueue(scale, ones.size(), memory, 3.0F);
    std::vector<float> got(ones.size());
    opencl::read_staged(queue(), memory, 0, got.data(), got.size() * sizeof(float), std::memcpy);
    EXPECT_TRUE(got == std::vector<float>(ones.size(), 3.0F));
}

TEST_F(OpenclStagedTransfer, copies_chunks_while_the_device_has_the_first) {
    gate held{queue()};
    held.enqueue_marker(queue());
    const auto sent = random_bytes(size_in_pieces);
    const cl::Buffer memory{queue().context(), CL_MEM_READ_WRITE, size_in_pieces};
    int calls = 0;
    const auto copy = [&](void* to, const void* from, std::size_t size) {
        std::memcpy(to, from, size);
        if (++calls == 3) {
            held.open();  // no chunk has been sent before this
        }
    };
    opencl::write_staged(queue(), sent.data(), memory, 0, sent.size(), copy);
    EXPECT_EQ(calls, 6);
}

TEST_F(OpenclStagedTransfer, has_its_own_memory_in_each_thread) {
    on_threads(4, [&](int) { expect_to_arrive(queue(), size_in_pieces); });
}

TEST_F(OpenclStagedTransfer, passes_on_an_exception_of_the_copy_and_still_works) {
    const auto sent = random_bytes(size_in_pieces);
    const cl::Buffer memory{queue().context(), CL_MEM_READ_WRITE, size_in_pieces};
    int calls = 0;
    const auto copy = [&](void*, const void*, std::size_t) {
        if (++calls == 3) {
            throw std::runtime_error{"no copy"};
        }
    };
    EXPECT_THROW(opencl::write_staged(queue(), sent.data(), memory, 0, sent.size(), copy),
                 std::runtime_error);
    calls = 0;
    std::vector<unsigned char> got(size_in_pieces);
    EXPECT_THROW(opencl::read_staged(queue(), memory, 0, got.data(), got.size(), copy),
                 std::runtime_error);
    expect_to_arrive(queue(), size_in_pieces);
}

TEST_F(OpenclStagedTransfer, throws_when_the_driver_refuses_and_still_works) {
    std::vector<unsigned char> bytes(size_in_pieces);
    const cl::Buffer memory{queue().context(), CL_MEM_READ_WRITE, size_in_pieces - mebibyte};
    EXPECT_THROW(opencl::write_staged(queue(), bytes.data(), memory, 0, bytes.size(), std::memcpy),
                 opencl::error);
    EXPECT_THROW(opencl::read_staged(queue(), memory, 0, bytes.data(), bytes.size(), std::memcpy),
                 opencl::error);
    expect_to_arrive(queue(), size_in_pieces);
}

TEST_F(OpenclStagedTransfer, keeps_its_memory_for_the_next_transfer) {
    opencl::detail::staging& staging = queue().staging();
    const auto take = [&] { return staging.take(queue().context(), queue().device().handle()); };
    auto first = take();
    auto second = take();
    const auto* const kept = second.get();
    EXPECT_NE(first->address(), second->address());
    staging.give_back(std::move(first));
    staging.give_back(std::move(second));
    EXPECT_EQ(take().get(), kept);
}

TEST_F(OpenclStagedTransfer, is_refused_in_a_forked_child) {
    expect_to_arrive(queue(), size_in_pieces);
    const cl::Buffer memory{queue().context(), CL_MEM_READ_WRITE, 1000};
    std::vector<unsigned char> bytes(1000);
    EXPECT_TRUE(is_refused_in_a_child([&] {
        opencl::write_staged(queue(), bytes.data(), memory, 0, bytes.size(), std::memcpy);
        return true;
    }));
    EXPECT_TRUE(is_refused_in_a_child([&] {
        opencl::read_staged(queue(), memory, 0, bytes.data(), bytes.size(), std::memcpy);
        return true;
    }));
}

}  // namespace
}  // namespace pointsman::test
