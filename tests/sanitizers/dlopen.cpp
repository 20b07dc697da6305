// SPDX-License-Identifier: Apache-2.0
// Lets oneTBB load its NUMA part under a sanitizer, which refuses RTLD_DEEPBIND.
#include <dlfcn.h>

extern "C" void* dlopen(const char* file, int mode) noexcept {
    static const auto next = reinterpret_cast<decltype(&dlopen)>(dlsym(RTLD_NEXT, "dlopen"));
    return next(file, mode & ~RTLD_DEEPBIND);
}
