# SPDX-License-Identifier: Apache-2.0
# Finds OpenCL with its C++ bindings; the build and the installed package share this file.
#
# Sets pointsman_opencl_FOUND and defines pointsman_opencl_sdk, which provides the headers and the
# loader. POINTSMAN_OPENCL=OFF leaves OpenCL out; POINTSMAN_OPENCL=ON makes its absence an error.

set(pointsman_opencl_FOUND FALSE)
if(NOT DEFINED POINTSMAN_OPENCL OR POINTSMAN_OPENCL)
  find_package(OpenCL QUIET)
  find_path(POINTSMAN_OPENCL_HPP_DIR CL/opencl.hpp HINTS ${OpenCL_INCLUDE_DIRS})
  mark_as_advanced(POINTSMAN_OPENCL_HPP_DIR)
  if(OpenCL_FOUND AND POINTSMAN_OPENCL_HPP_DIR)
    set(pointsman_opencl_FOUND TRUE)
    if(NOT TARGET pointsman_opencl_sdk)
      add_library(pointsman_opencl_sdk INTERFACE IMPORTED)
      target_link_libraries(pointsman_opencl_sdk INTERFACE OpenCL::OpenCL)
      target_include_directories(pointsman_opencl_sdk SYSTEM INTERFACE ${POINTSMAN_OPENCL_HPP_DIR})
    endif()
  elseif(POINTSMAN_OPENCL AND NOT POINTSMAN_OPENCL STREQUAL "AUTO")
    message(FATAL_ERROR
      "POINTSMAN_OPENCL is ${POINTSMAN_OPENCL}, but the OpenCL loader or CL/opencl.hpp was not "
      "found: install ocl-icd-opencl-dev and opencl-clhpp-headers, or set POINTSMAN_OPENCL=OFF")
  endif()
endif()
