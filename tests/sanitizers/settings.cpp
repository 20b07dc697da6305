// SPDX-License-Identifier: Apache-2.0
// Settings of the sanitizers, linked into every test program so that it needs no environment.

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FAIRLEAD_SETTING extern "C" __attribute__((used, visibility("default"))) const char*
#define FAIRLEAD_SUPPRESSIONS(file) "suppressions=" FAIRLEAD_SANITIZERS_DIR "/" file
#endif

#ifdef __SANITIZE_ADDRESS__
// The runtimes of GCC 13, LLVM 16 and older take some blocks of a loaded module's thread-local
// storage for ones of glibc 2.24 and read a size in front of them that is not there; LeakSanitizer
// then crashes while it ends. Without the interception it does not look into those blocks.
FAIRLEAD_SETTING __asan_default_options() {
    return "detect_stack_use_after_return=1:intercept_tls_get_addr=0";
}
FAIRLEAD_SETTING __ubsan_default_options() { return "print_stacktrace=1"; }
FAIRLEAD_SETTING __lsan_default_options() { return FAIRLEAD_SUPPRESSIONS("lsan.supp"); }
#endif

#ifdef __SANITIZE_THREAD__
FAIRLEAD_SETTING __tsan_default_options() {
    return "second_deadlock_stack=1:ignore_noninstrumented_modules=1:" FAIRLEAD_SUPPRESSIONS(
        "tsan.supp");
}
#endif
