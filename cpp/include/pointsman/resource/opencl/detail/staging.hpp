// SPDX-License-Identifier: Apache-2.0
// Keeps one block of pinned memory for the staged transfers of a queue.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/pinned_memory.hpp"

namespace pointsman::opencl::detail {

/// Keeps the memory of one transfer for the next. Simultaneous transfers use separate blocks.
/// **Thread safety**: any member from any thread.
class staging {
  public:
    /// The pinned memory of one transfer.
    static constexpr std::size_t size_bytes = std::size_t{24} << 20;

    staging() = default;
    staging(const staging&) = delete;
    staging& operator=(const staging&) = delete;
    ~staging() { delete spare_.load(); }

    /// **Throws**: `cl::Error`, `std::bad_alloc`.
    [[nodiscard]] std::unique_ptr<pinned_memory> take(const cl::Context& context,
                                                      const cl::Device& device) {
        std::unique_ptr<pinned_memory> kept{spare_.exchange(nullptr)};
        return kept ? std::move(kept)
                    : std::make_unique<pinned_memory>(context, device, size_bytes);
    }
    /// Takes back memory that no command uses any more.
    void give_back(std::unique_ptr<pinned_memory> memory) noexcept {
        delete spare_.exchange(memory.release());
    }
    /// Frees the memory that is kept.
    void clear() noexcept { delete spare_.exchange(nullptr); }

  private:
    std::atomic<pinned_memory*> spare_{nullptr};
};

}  // namespace pointsman::opencl::detail
