// SPDX-License-Identifier: Apache-2.0
// Runs loops on a team of OpenMP threads; a placeholder if the compiler has OpenMP disabled.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "pointsman/executor/executor.hpp"
#include "pointsman/executor/executor_properties.hpp"
#include "pointsman/executor/executor_traits.hpp"

#ifdef _OPENMP
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "pointsman/error.hpp"
#include "pointsman/property/occupancy.hpp"

namespace pointsman {

/// The team of threads that an `openmp_executor` forks for each bulk.
struct openmp_team {
    int threads = 1;
    /// Returns immediately: a team's work is complete when the call that forked it returns.
    void wait() const noexcept {}
    friend bool operator==(const openmp_team&, const openmp_team&) = default;
};

/// The inline namespaces let files compiled with and without OpenMP be linked into one program.
inline namespace with_openmp {

/// Runs the agents of a bulk on a team of OpenMP threads; each thread takes one contiguous block of
/// indices. Use it in programs that already use OpenMP. It is available if the compiler has OpenMP
/// enabled (`-fopenmp`; in CMake the target `OpenMP::OpenMP_CXX`), and always blocks. Inside an OpenMP
/// parallel region the team is only the calling thread, unless the program allows nested regions.
/// **Thread safety**: a value; any thread.
/// **Cost**: that of a parallel loop with a static schedule.
/// **Example**: `openmp_executor<>{4}.bulk_execute([&](std::size_t i) { y[i] += a * x[i]; }, n);`
/// Source: *Executor Design* in the executor document.
template <class Blocking = blocking_t::always_t, class ProtoAllocator = std::allocator<void>>
class openmp_executor
    : public executor_properties<openmp_executor, Blocking, ProtoAllocator, blocking_t::always_t> {
    using base = executor_properties<with_openmp::openmp_executor, Blocking, ProtoAllocator,
                                     blocking_t::always_t>;

  public:
    using shape_type = std::size_t;
    using index_type = std::size_t;
    static constexpr std::string_view name = "openmp";
    static constexpr int priority = 40;

    using base::query;

    /// Uses as many threads as OpenMP does by default.
    openmp_executor() = default;
    explicit openmp_executor(const ProtoAllocator& proto) : base{proto} {}
    /// Uses a team of `threads` threads. **Throws**: `invalid_option` for less than one.
    explicit openmp_executor(int threads, const ProtoAllocator& proto = {})
        : base{proto}, threads_{threads} {
        if (threads < 1) {
            throw invalid_option{"an openmp_executor cannot have " + std::to_string(threads) +
                                 " threads: pass 1 or more, or nothing for OpenMP's default"};
        }
    }

    /// Calls `f()` on the calling thread. **Throws**: what `f` throws.
    template <class F>
    void execute(F&& f) const {
        std::invoke(std::forward<F>(f));
    }

    /// Calls `f(i)` for each `i` below `n`, on several threads at a time.
    /// **Throws**: the first exception of an agent, after all threads have finished. A thread whose agent
    /// throws skips the rest of its block.
    template <class F>
    void bulk_execute(F&& f, const shape_type& n) const {
        std::exception_ptr first;
        std::atomic_flag failed;
        const index_type all = n;
#pragma omp parallel num_threads(context().threads)
        {
            const auto team = static_cast<index_type>(omp_get_num_threads());
            const auto me = static_cast<index_type>(omp_get_thread_num());
            const index_type begin = all / team * me + std::min(me, all % team);
            const index_type end = begin + all / team + (me < all % team ? 1 : 0);
            try {
                for (index_type i = begin; i < end; ++i) {
                    f(i);
                }
            } catch (...) {
                if (!failed.test_and_set()) {
                    first = std::current_exception();
                }
            }
        }
        if (first) {
            std::rethrow_exception(first);
        }
    }

    [[nodiscard]] openmp_team context() const noexcept {
        return {threads_ > 0 ? threads_ : omp_get_max_threads()};
    }
    [[nodiscard]] static constexpr mapping_t::thread_t query(const mapping_t&) noexcept {
        return {};
    }
    [[nodiscard]] std::size_t query(const occupancy_t&) const noexcept {
        return static_cast<std::size_t>(context().threads);
    }

    /// A copy with other properties.
    template <class OtherBlocking, class OtherAllocator>
    [[nodiscard]] openmp_executor<OtherBlocking, OtherAllocator> rebind(
        const OtherAllocator& proto) const {
        return threads_ > 0 ? openmp_executor<OtherBlocking, OtherAllocator>{threads_, proto}
                            : openmp_executor<OtherBlocking, OtherAllocator>{proto};
    }

    friend bool operator==(const openmp_executor&, const openmp_executor&) = default;

  private:
    int threads_ = 0;  // as many as OpenMP uses by default
};

}  // namespace with_openmp

using default_openmp_executor = openmp_executor<>;

static_assert(executor<default_openmp_executor> &&
              is_executor_available_v<default_openmp_executor>);

}  // namespace pointsman

#else

namespace pointsman {

inline namespace without_openmp {

/// Placeholder in a file compiled without OpenMP: it can be named, but running work on it does not
/// compile.
template <class Blocking = blocking_t::always_t, class ProtoAllocator = std::allocator<void>>
class openmp_executor : public detail::not_compiled_in {
  public:
    static constexpr std::string_view name = "openmp";
    static constexpr std::string_view remedy = "compile with -fopenmp";
    static constexpr int priority = 40;

    openmp_executor() = default;
    explicit openmp_executor(int) {}

    template <class F>
    void execute(F&&) const {
        refuse<F>();
    }
    template <class F>
    void bulk_execute(F&&, std::size_t) const {
        refuse<F>();
    }

  private:
    template <class F>
    static constexpr void refuse() {
        static_assert(sizeof(F) == 0,
                      "openmp_executor was not compiled in: compile this file with OpenMP "
                      "(-fopenmp, or OpenMP::OpenMP_CXX in CMake), or use it only where "
                      "is_executor_available_v is true");
    }
};

}  // namespace without_openmp

using default_openmp_executor = openmp_executor<>;

static_assert(executor<default_openmp_executor> &&
              !is_executor_available_v<default_openmp_executor>);

}  // namespace pointsman

#endif
