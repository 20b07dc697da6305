// SPDX-License-Identifier: Apache-2.0
// Configures and includes the Khronos C++ bindings; no other header includes them.
#pragma once

// pointsman needs only OpenCL 1.2. A program that uses later features must configure and include the
// bindings before it includes pointsman: they can be configured only once per translation unit. Functions
// of OpenCL 2.0 are declared only for svm_allocator.hpp.
#ifdef CL_HPP_
#ifndef CL_HPP_ENABLE_EXCEPTIONS
#error "define CL_HPP_ENABLE_EXCEPTIONS before <CL/opencl.hpp>, or include pointsman first"
#endif
#if CL_HPP_TARGET_OPENCL_VERSION < 120
#error "pointsman needs a CL_HPP_TARGET_OPENCL_VERSION of 120 or more; or include pointsman first"
#endif
#else
#ifndef CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_ENABLE_EXCEPTIONS
#endif
#ifndef CL_HPP_TARGET_OPENCL_VERSION
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#endif
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 200
#endif
#endif

#include <CL/opencl.hpp>
