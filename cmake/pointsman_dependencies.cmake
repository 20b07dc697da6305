# SPDX-License-Identifier: Apache-2.0
# Finds the libraries to link: threads and oneTBB, and OpenCL, Highway and SQLite if available.

set(pointsman_imported
  Threads::Threads TBB::tbb OpenCL::OpenCL pointsman_opencl_sdk hwy::hwy hwy::hwy_contrib
  SQLite::SQLite3 SQLite3::SQLite3)
foreach(target IN LISTS pointsman_imported)
  if(TARGET ${target})
    list(REMOVE_ITEM pointsman_imported ${target})
  endif()
endforeach()

find_package(Threads REQUIRED)
find_package(TBB QUIET)
if(NOT TBB_FOUND)
  message(FATAL_ERROR "oneTBB was not found: install libtbb-dev, or point TBB_DIR at it")
endif()
include(pointsman_opencl_sdk)
# Highway sorts numbers with vector instructions.
find_package(hwy QUIET)
set(pointsman_highway_FOUND FALSE)
if(TARGET hwy::hwy_contrib)
  set(pointsman_highway_FOUND TRUE)
endif()

# SQLite keeps the history of timings.
find_package(SQLite3 QUIET)
set(pointsman_sqlite_FOUND ${SQLite3_FOUND})
if(SQLite3_FOUND AND NOT TARGET SQLite3::SQLite3)  # its name since CMake 4.3, where the other is deprecated
  add_library(SQLite3::SQLite3 INTERFACE IMPORTED)
  target_link_libraries(SQLite3::SQLite3 INTERFACE SQLite::SQLite3)
endif()

# A project that adds pointsman as a subdirectory must see the packages found here.
foreach(target IN LISTS pointsman_imported)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
  endif()
endforeach()
