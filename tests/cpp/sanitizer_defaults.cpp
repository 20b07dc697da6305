// SPDX-License-Identifier: Apache-2.0
// What lets the sanitizers judge a test program: settings, and an end without work in flight.

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <new>

#define FAIRLEAD_SETTING extern "C" __attribute__((used, visibility("default"))) const char*
#define FAIRLEAD_SUPPRESSIONS(file) "suppressions=" FAIRLEAD_SANITIZERS_DIR "/" file

namespace {

/// Lets oneTBB's threads finish what is queued, so that nothing it holds counts as a leak.
class finished_threads : public testing::Environment {
  public:
    void TearDown() override { oneapi::tbb::finalize(threads_, std::nothrow); }

  private:
    oneapi::tbb::task_scheduler_handle threads_{oneapi::tbb::attach{}};
};

[[maybe_unused]] const auto* const environment =
    testing::AddGlobalTestEnvironment(new finished_threads);

}  // namespace
#endif

#ifdef __SANITIZE_ADDRESS__
#include <dlfcn.h>

FAIRLEAD_SETTING __asan_default_options() { return "detect_stack_use_after_return=1"; }
FAIRLEAD_SETTING __ubsan_default_options() { return "print_stacktrace=1"; }
FAIRLEAD_SETTING __lsan_default_options() { return FAIRLEAD_SUPPRESSIONS("lsan.supp"); }

// oneTBB loads its NUMA part with RTLD_DEEPBIND, which the address sanitizer refuses.
extern "C" void* dlopen(const char* file, int mode) noexcept {
    static const auto next = reinterpret_cast<decltype(&dlopen)>(dlsym(RTLD_NEXT, "dlopen"));
    return next(file, mode & ~RTLD_DEEPBIND);
}
#endif

#ifdef __SANITIZE_THREAD__
FAIRLEAD_SETTING __tsan_default_options() {
    return "second_deadlock_stack=1:" FAIRLEAD_SUPPRESSIONS("tsan.supp");
}
#endif
