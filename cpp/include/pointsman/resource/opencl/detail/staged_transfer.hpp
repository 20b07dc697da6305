// SPDX-License-Identifier: Apache-2.0
// Copies between host and device memory, piece by piece through pinned memory.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <memory>
#include <utility>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/command.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/pinned_memory.hpp"
#include "pointsman/resource/opencl/detail/staging.hpp"
#include "pointsman/resource/opencl/error.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::opencl {

/// Copies the given number of bytes from the second address to the first, both in host memory:
/// `std::memcpy`, or a function that does it in several threads.
template <class T>
concept host_copy = std::invocable<const T&, void*, const void*, std::size_t>;

namespace detail {

/// The pieces of a transfer, which use slots of pinned memory in turn: while the device copies one, the
/// host copies another.
class staged_pieces {
  public:
    staged_pieces(const queue& where, std::size_t size_bytes)
        : where_{where},
          size_bytes_{size_bytes},
          piece_bytes_{std::clamp(std::bit_floor(size_bytes / 8), least_bytes, most_bytes)},
          memory_{where.staging().take(where.context(), where.device().handle())} {}
    staged_pieces(const staged_pieces&) = delete;
    staged_pieces& operator=(const staged_pieces&) = delete;
    ~staged_pieces() {
        for (std::size_t i = 0; i < slots; ++i) {
            static_cast<void>(finish(i));  // with or without success
        }
        where_.staging().give_back(std::move(memory_));
    }

    static constexpr std::size_t slots = 3;

    [[nodiscard]] std::size_t count() const noexcept {
        return (size_bytes_ + piece_bytes_ - 1) / piece_bytes_;
    }
    /// The offset of piece `i` in the transfer.
    [[nodiscard]] std::size_t begin(std::size_t i) const noexcept { return i * piece_bytes_; }
    [[nodiscard]] std::size_t size(std::size_t i) const noexcept {
        return std::min(piece_bytes_, size_bytes_ - begin(i));
    }
    [[nodiscard]] std::byte* address(std::size_t i) const noexcept {
        return memory_->address() + i % slots * piece_bytes_;
    }

    /// Starts the command of piece `i`: `command(commands, done)` enqueues it. The command of the piece
    /// that last used the slot is complete.
    template <class Command>
    void start(std::size_t i, const Command& command) {
        command(where_.handle(), &commands_[i % slots].event);
        where_.handle().flush();
    }
    /// Blocks until the last command in the slot of piece `i` is complete.
    /// **Throws**: `cl::Error` if it failed.
    void await(std::size_t i) const {
        if (const cl_int status = finish(i); status < CL_COMPLETE) {
            throw cl::Error{status, "a transfer"};
        }
    }
    void await_all() const {
        for (std::size_t i = 0; i < slots; ++i) {
            await(i);
        }
    }

  private:
    static constexpr std::size_t most_bytes = staging::size_bytes / slots;
    static constexpr std::size_t least_bytes = std::size_t{1} << 20;

    /// Waits for the last command in the slot of piece `i`, and returns its status.
    [[nodiscard]] cl_int finish(std::size_t i) const noexcept {
        const command& last = commands_[i % slots];
        if (last.event() == nullptr) {
            return CL_COMPLETE;
        }
        clWaitForEvents(1, &last.event());
        return last.status();
    }

    const queue& where_;
    std::size_t size_bytes_;
    std::size_t piece_bytes_;
    std::unique_ptr<pinned_memory> memory_;
    std::array<command, slots> commands_;
};

}  // namespace detail

/// Copies `size_bytes` from `from` to offset `offset_bytes` of `to`, and blocks until complete. For
/// transfers of a MiB or more to devices with memory of their own; a smaller plain write is as fast.
///
/// On an in-order queue it runs after everything enqueued before; on an out-of-order queue it waits for
/// no other command.
/// **Throws**: `opencl::error`; `forked_process`; what `copy` throws. No command is still running then.
/// **Thread safety**: any thread; transfers on one queue at the same time do not share memory.
/// **Cost**: 24 MiB of pinned memory, which takes milliseconds to make and is kept by the queue.
template <host_copy Copy>
void write_staged(const queue& where, const void* from, const cl::Buffer& to,
                  std::size_t offset_bytes, std::size_t size_bytes, const Copy& copy) {
    if (size_bytes == 0) {
        return;
    }
    detail::check_not_forked();
    detail::translated([&] {
        const auto* const source = static_cast<const std::byte*>(from);
        detail::staged_pieces pieces{where, size_bytes};
        for (std::size_t i = 0; i < pieces.count(); ++i) {
            pieces.await(i);
            copy(pieces.address(i), source + pieces.begin(i), pieces.size(i));
            pieces.start(i, [&](const cl::CommandQueue& commands, cl::Event* done) {
                commands.enqueueWriteBuffer(to, CL_FALSE, offset_bytes + pieces.begin(i),
                                            pieces.size(i), pieces.address(i), nullptr, done);
            });
        }
        pieces.await_all();
    });
}

/// Copies `size_bytes` from offset `offset_bytes` of `from` to `to`. Otherwise like `write_staged`.
template <host_copy Copy>
void read_staged(const queue& where, const cl::Buffer& from, std::size_t offset_bytes, void* to,
                 std::size_t size_bytes, const Copy& copy) {
    if (size_bytes == 0) {
        return;
    }
    detail::check_not_forked();
    detail::translated([&] {
        auto* const target = static_cast<std::byte*>(to);
        detail::staged_pieces pieces{where, size_bytes};
        const auto start = [&](std::size_t i) {
            pieces.start(i, [&](const cl::CommandQueue& commands, cl::Event* done) {
                commands.enqueueReadBuffer(from, CL_FALSE, offset_bytes + pieces.begin(i),
                                           pieces.size(i), pieces.address(i), nullptr, done);
            });
        };
        for (std::size_t i = 0; i < std::min(detail::staged_pieces::slots, pieces.count()); ++i) {
            start(i);
        }
        for (std::size_t i = 0; i < pieces.count(); ++i) {
            pieces.await(i);
            copy(target + pieces.begin(i), pieces.address(i), pieces.size(i));
            if (i + pieces.slots < pieces.count()) {
                start(i + pieces.slots);
            }
        }
    });
}

}  // namespace pointsman::opencl
