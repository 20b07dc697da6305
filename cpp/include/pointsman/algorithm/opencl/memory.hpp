// SPDX-License-Identifier: Apache-2.0
// Gives a device access to the values of an iterator, in place if possible, otherwise by a copy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "pointsman/algorithm/opencl/type.hpp"
#include "pointsman/error.hpp"
#include "pointsman/resource/opencl/buffer.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/svm_table.hpp"
#include "pointsman/resource/opencl/detail/transfer.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman {

namespace detail {
template <class It>
inline constexpr bool is_buffer_iterator = false;
template <class T>
inline constexpr bool is_buffer_iterator<opencl::buffer_iterator<T>> = true;
/// True for iterators over values that only a device can read or write.
template <class It>
inline constexpr bool is_on_device = is_buffer_iterator<It>;

template <class It>
struct iterated {
    using value_type = std::iter_value_t<It>;
};
template <class T>
struct iterated<opencl::buffer_iterator<T>> {
    using value_type = T;
};
template <class It>
using iterated_t = typename iterated<It>::value_type;
}  // namespace detail

/// An iterator whose values an algorithm can use on a device: an iterator of an `opencl::buffer`, a pointer,
/// another random access iterator over host memory, or one that stands for values that the device computes.
template <class It>
concept device_iterator = (detail::is_on_device<It> || std::random_access_iterator<It>) &&
                          detail::device_element<detail::iterated_t<It>>;

namespace detail {

/// Makes commands that are enqueued later wait for all commands enqueued before, in out-of-order queues too.
inline void end_overtaking(const opencl::queue& where) {
    opencl::detail::check_not_forked();
    if (where.is_out_of_order()) {
        where.handle().enqueueBarrierWithWaitList();
    }
}

/// While one exists, the calling thread's algorithms do not wait for results that stay in buffers.
class unawaited_scope {
  public:
    unawaited_scope() noexcept { ++depth_; }
    unawaited_scope(const unawaited_scope&) = delete;
    unawaited_scope& operator=(const unawaited_scope&) = delete;
    ~unawaited_scope() { --depth_; }

    [[nodiscard]] static bool is_open() noexcept { return depth_ != 0; }

  private:
    static inline constinit thread_local int depth_ = 0;
};

/// Blocks until the enqueued commands are complete, unless an `unawaited_scope` is open.
inline void await_results(const opencl::queue& where) {
    if (!unawaited_scope::is_open()) {
        where.wait();
    }
}

/// The `count` values beginning at `first`, on the device of `where`. Values of a buffer or in shared virtual
/// memory are used in place, and so is host memory if the device shares it; otherwise they are copied to
/// memory from the queue's pool. The iterator's range must outlive this object.
/// **Throws**: `invalid_option` if the range exceeds the buffer, or the buffer is of another context;
/// `cl::Error`.
template <device_iterator It>
class device_values {
  public:
    using value_type = iterated_t<It>;
    enum class use : bool { input, output };

    device_values(const opencl::queue& where, It first, std::size_t count, use wanted)
        : device_values{where, first, count, wanted, host_values_for(where)} {}
    device_values(const opencl::queue& where, It first, std::size_t count, use wanted,
                  host_values of_host)
        : where_{where}, first_{first}, count_{count}, of_host_{of_host} {
        if constexpr (is_buffer_iterator<It>) {
            check_range();
            memory_ = first.owner().handle();
            offset_ = first.index();
        } else {
            if constexpr (!std::contiguous_iterator<It>) {
                gathered_.resize(count);
                if (wanted == use::input) {
                    std::copy_n(first, count, gathered_.begin());
                }
            }
            if (is_shared()) {
                return;
            }
            if (of_host == host_values::in_place) {
                memory_ = cl::Buffer{where.context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                     size_bytes(), host()};
            } else {
                copy_ = where.take_buffer(size_bytes());
                memory_ = copy_.handle();
                if (wanted == use::input) {
                    write_to_device(where, host(), bytes(), of_host);
                }
            }
        }
    }

    [[nodiscard]] const cl::Buffer& memory() const noexcept { return memory_; }
    /// The index of the first value in `memory()`.
    [[nodiscard]] const cl_ulong& offset() const noexcept { return offset_; }
    [[nodiscard]] std::size_t size_bytes() const noexcept { return count_ * sizeof(value_type); }
    [[nodiscard]] bytes_on_device bytes() const noexcept {
        return {memory_, offset_ * sizeof(value_type), size_bytes()};
    }

    /// Blocks until the enqueued commands are complete and their results are in the iterator's range. In an
    /// `unawaited_scope`, does not wait for results in a buffer.
    void fetch() {
        if constexpr (is_buffer_iterator<It>) {
            await_results(where_);
        } else {
            end_overtaking(where_);
            if (loan_) {
                where_.wait();
            } else if (of_host_ == host_values::in_place) {
                const cl::CommandQueue& commands = where_.handle();
                void* const mapped =
                    commands.enqueueMapBuffer(memory_, CL_TRUE, CL_MAP_READ, 0, size_bytes());
                commands.enqueueUnmapMemObject(memory_, mapped);
                commands.finish();
            } else {
                read_from_device(where_, bytes(), host(), of_host_);
            }
            if constexpr (!std::contiguous_iterator<It>) {
                std::copy_n(gathered_.begin(), count_, first_);
            }
        }
    }

  private:
    void check_range() const {
        opencl::detail::check_not_forked();
        const auto& owner = first_.owner();
        if (first_.index() > owner.size() || count_ > owner.size() - first_.index()) {
            throw invalid_option{"the algorithm needs " + std::to_string(count_) +
                                 " values from index " + std::to_string(first_.index()) +
                                 " of a buffer that has " + std::to_string(owner.size()) +
                                 ": make it larger"};
        }
        if (owner.handle().template getInfo<CL_MEM_CONTEXT>() != where_.context()) {
            throw invalid_option{
                "the buffer belongs to another device or context than the policy: make it with the "
                "policy's queue, or both queues on devices of share_context() or split()"};
        }
    }

    /// Returns true if the values are in shared virtual memory, and then refers to them in place.
    bool is_shared() {
        const auto block =
            opencl::detail::svm_table::instance().find(host(), size_bytes(), where_.context());
        if (!block) {
            return false;
        }
        const auto at =
            static_cast<std::size_t>(static_cast<std::byte*>(host()) - block->address());
        if (at % sizeof(value_type) != 0) {
            return false;
        }
        loan_ = opencl::detail::svm_loan{block, where_.handle()};
        memory_ = block->buffer();
        offset_ = at / sizeof(value_type);
        return true;
    }

    /// The host memory of the values; not const, as OpenCL requires even for memory that is only read.
    void* host() {
        if constexpr (std::contiguous_iterator<It>) {
            return const_cast<value_type*>(std::to_address(first_));
        } else {
            return gathered_.data();
        }
    }

    opencl::queue where_;
    It first_;
    std::size_t count_;
    host_values of_host_;
    std::vector<value_type> gathered_;  // copies of values that are not contiguous
    opencl::pooled_buffer copy_;
    opencl::detail::svm_loan loan_;
    cl::Buffer memory_;
    cl_ulong offset_ = 0;
};

}  // namespace detail
}  // namespace pointsman
