// SPDX-License-Identifier: Apache-2.0
// Sanitizer settings, linked into every test program so that it needs no environment variables.

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define POINTSMAN_SETTING extern "C" __attribute__((used, visibility("default"))) const char*
#define POINTSMAN_SUPPRESSIONS(file) "suppressions=" POINTSMAN_SANITIZERS_DIR "/" file
#endif

#ifdef __SANITIZE_ADDRESS__
// The runtimes of GCC 13, LLVM 16 and older mistake some blocks of a loaded module's thread-local
// storage for blocks of glibc 2.24 and read a size in front of them that is not there;
// LeakSanitizer then crashes at exit. With the interception off it does not look into these blocks.
POINTSMAN_SETTING __asan_default_options() {
    return "detect_stack_use_after_return=1:intercept_tls_get_addr=0";
}
POINTSMAN_SETTING __ubsan_default_options() { return "print_stacktrace=1"; }
POINTSMAN_SETTING __lsan_default_options() { return POINTSMAN_SUPPRESSIONS("lsan.supp"); }
#endif

#ifdef __SANITIZE_THREAD__
POINTSMAN_SETTING __tsan_default_options() {
    return "second_deadlock_stack=1:ignore_noninstrumented_modules=1:" POINTSMAN_SUPPRESSIONS(
        "tsan.supp");
}
#ifdef __clang__
// clang's shared runtime does not start before the initialisers of other libraries, which already call it.
extern "C" void __tsan_init();
__attribute__((used, section(".preinit_array"))) static void (*start_runtime)() = __tsan_init;
#endif
#endif
