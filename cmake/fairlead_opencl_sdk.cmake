# SPDX-License-Identifier: Apache-2.0
# Finds OpenCL with its C++ bindings; the build and the installed package share this file.
#
# Sets fairlead_opencl_FOUND and defines fairlead_opencl_sdk, which carries the headers and the
# loader. FAIRLEAD_OPENCL=OFF leaves it out; FAIRLEAD_OPENCL=ON makes its absence an error.

set(fairlead_opencl_FOUND FALSE)
if(NOT DEFINED FAIRLEAD_OPENCL OR FAIRLEAD_OPENCL)
  find_package(OpenCL QUIET)
  find_path(FAIRLEAD_OPENCL_HPP_DIR CL/opencl.hpp HINTS ${OpenCL_INCLUDE_DIRS})
  mark_as_advanced(FAIRLEAD_OPENCL_HPP_DIR)
  if(OpenCL_FOUND AND FAIRLEAD_OPENCL_HPP_DIR)
    set(fairlead_opencl_FOUND TRUE)
    if(NOT TARGET fairlead_opencl_sdk)
      add_library(fairlead_opencl_sdk INTERFACE IMPORTED)
      target_link_libraries(fairlead_opencl_sdk INTERFACE OpenCL::OpenCL)
      target_include_directories(fairlead_opencl_sdk SYSTEM INTERFACE ${FAIRLEAD_OPENCL_HPP_DIR})
    endif()
  elseif(FAIRLEAD_OPENCL AND NOT FAIRLEAD_OPENCL STREQUAL "AUTO")
    message(FATAL_ERROR
      "FAIRLEAD_OPENCL is ${FAIRLEAD_OPENCL}, but the OpenCL loader or CL/opencl.hpp was not "
      "found: install ocl-icd-opencl-dev and opencl-clhpp-headers, or set FAIRLEAD_OPENCL=OFF")
  endif()
endif()
