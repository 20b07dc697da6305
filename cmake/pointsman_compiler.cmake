# SPDX-License-Identifier: Apache-2.0
# Compiler settings of pointsman's own build: cache, warnings, sanitizers. Never installed.

if(NOT DEFINED CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 20)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(POINTSMAN_CCACHE ccache)
  mark_as_advanced(POINTSMAN_CCACHE)
  if(POINTSMAN_CCACHE)
    # Otherwise ccache caches nothing that includes one of g++'s precompiled headers.
    string(JOIN "," sloppiness $ENV{CCACHE_SLOPPINESS} pch_defines time_macros)
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=${sloppiness} ${POINTSMAN_CCACHE})
  endif()
endif()

# Linked to everything that this repository compiles, never to the installed targets.
add_library(pointsman_warnings INTERFACE)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  target_compile_options(pointsman_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    $<$<BOOL:${POINTSMAN_WERROR}>:-Werror>)
endif()

if(POINTSMAN_SANITIZE)
  add_compile_options(
    -fsanitize=${POINTSMAN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${POINTSMAN_SANITIZE})
  if(POINTSMAN_SANITIZE MATCHES "undefined")
    # These checks of each memory access take a third of the build time; the address sanitizer catches bad
    # accesses too.
    add_compile_options(-fno-sanitize=null,alignment,object-size)
  endif()
  if(POINTSMAN_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Calls instead of inline checks: a fifth less time to compile.
    add_compile_options("SHELL:--param asan-instrumentation-with-call-threshold=0")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT POINTSMAN_FUZZ)
    # The shared runtime, as with g++: ThreadSanitizer's static one does not let tests replace operator new.
    set(runtime libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so)
    execute_process(
      COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${runtime}
      OUTPUT_VARIABLE runtime
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT IS_ABSOLUTE "${runtime}")
      message(FATAL_ERROR "${CMAKE_CXX_COMPILER} lacks ${runtime}: install libclang-rt-dev of its version")
    endif()
    cmake_path(GET runtime PARENT_PATH runtimes)
    foreach(sanitizer IN ITEMS address thread)
      if(POINTSMAN_SANITIZE MATCHES "${sanitizer}")
        string(TOUPPER "__SANITIZE_${sanitizer}__" defined)
        add_compile_definitions(${defined}=1)  # as g++ does
      endif()
    endforeach()
    add_link_options(-shared-libsan -Wl,-rpath,${runtimes})
  endif()
  if(POINTSMAN_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ warns at every use of a fence, in other projects' headers too.
    add_compile_options(-Wno-tsan)
  endif()
endif()
