# SPDX-License-Identifier: Apache-2.0
# Finds what the library targets link: threads, oneTBB, and OpenCL and Highway where they are.

set(fairlead_imported
  Threads::Threads TBB::tbb OpenCL::OpenCL fairlead_opencl_sdk hwy::hwy hwy::hwy_contrib)
foreach(target IN LISTS fairlead_imported)
  if(TARGET ${target})
    list(REMOVE_ITEM fairlead_imported ${target})
  endif()
endforeach()

find_package(Threads REQUIRED)
find_package(TBB QUIET)
if(NOT TBB_FOUND)
  message(FATAL_ERROR "oneTBB was not found: install libtbb-dev, or point TBB_DIR at it")
endif()
include(fairlead_opencl_sdk)
# Sorts numbers in vector registers.
find_package(hwy QUIET)
set(fairlead_highway_FOUND FALSE)
if(TARGET hwy::hwy_contrib)
  set(fairlead_highway_FOUND TRUE)
endif()

# A project that adds fairlead as a subdirectory must see what was found here.
foreach(target IN LISTS fairlead_imported)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
  endif()
endforeach()
