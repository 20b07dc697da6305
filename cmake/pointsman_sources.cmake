# SPDX-License-Identifier: Apache-2.0
# Lists rooms and their source files; leaves out the files that need OpenCL if it was not found.

# pointsman_drop_opencl(<variable> <folder>): unless OpenCL was found, removes from a list of files below
# the folder the files with opencl in their names or in the name of a file that they include.
function(pointsman_drop_opencl variable folder)
  if(pointsman_opencl_FOUND)
    return()
  endif()
  set(kept "")
  foreach(file IN LISTS ${variable})
    file(STRINGS ${folder}/${file} includes REGEX "^#include .*opencl")
    if(NOT includes AND NOT file MATCHES "opencl")
      list(APPEND kept ${file})
    endif()
  endforeach()
  set(${variable} ${kept} PARENT_SCOPE)
endfunction()

# pointsman_sources(<variable> <pattern>...): the files below the current folder that match, sorted,
# without the files that need OpenCL if it was not found.
function(pointsman_sources variable)
  set(files "")
  foreach(pattern IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${pattern})
    list(APPEND files ${found})
  endforeach()
  pointsman_drop_opencl(files ${CMAKE_CURRENT_SOURCE_DIR})
  list(SORT files)
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# pointsman_rooms(<variable>): the folders directly below the current one.
function(pointsman_rooms variable)
  file(GLOB entries CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *)
  set(rooms "")
  foreach(entry IN LISTS entries)
    if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${entry})
      list(APPEND rooms ${entry})
    endif()
  endforeach()
  set(${variable} ${rooms} PARENT_SCOPE)
endfunction()
