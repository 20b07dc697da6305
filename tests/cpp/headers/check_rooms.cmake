# SPDX-License-Identifier: Apache-2.0
# Checks that no file below ROOT includes a later room or private headers of another room, and that an umbrella
# header includes each public header. ROOT is the tree, or a small tree that breaks one of these rules.

cmake_minimum_required(VERSION 3.22)

# A room may include itself and earlier rooms.
set(rooms base info trace property tuning history submission testing resource executor backend policy replay
  recovery selection execution algorithm binding)
set(wrong "")

# room_of(<variable> <path>): sets the variable to the first folder of the path, if there is one.
macro(room_of variable path)
  string(REGEX REPLACE "/.*" "" ${variable} "${path}")
  if("${${variable}}" STREQUAL "${path}")
    set(${variable} "")
  endif()
endmacro()

# read_includes(<variable> <file> <prefix>): the paths that the file includes below the prefix.
function(read_includes variable file prefix)
  file(STRINGS "${file}" lines REGEX "^#include \"${prefix}")
  list(TRANSFORM lines REPLACE "^#include \"${prefix}([^\"]*)\".*" "\\1")
  set(${variable} ${lines} PARENT_SCOPE)
endfunction()

# check_order(<file> <room> <included>): adds a sentence when the order of rooms is broken.
function(check_order file room included)
  room_of(other "${included}")
  list(FIND rooms "${room}" own)
  list(FIND rooms "${other}" index)
  if(other AND own GREATER_EQUAL 0 AND index GREATER own)
    list(APPEND wrong "${file}: ${room} includes the later room ${other} (${included})")
    set(wrong "${wrong}" PARENT_SCOPE)
  endif()
endfunction()

set(include_dir ${ROOT}/cpp/include/pointsman)
file(GLOB_RECURSE headers RELATIVE ${include_dir} ${include_dir}/*.hpp)
foreach(header IN LISTS headers)
  room_of(room "${header}")
  if(room AND NOT room IN_LIST rooms)
    list(APPEND wrong "${header}: no room is called ${room}")
  endif()
  read_includes(includes ${include_dir}/${header} "pointsman/")
  foreach(included IN LISTS includes)
    check_order("${header}" "${room}" "${included}")
    room_of(other "${included}")
    # The files of OpenCL's adapter, whose rooms are resource, executor and algorithm, share its machinery.
    if(included MATCHES "/(detail|host|opencl)/" AND NOT other STREQUAL room AND NOT room STREQUAL "binding"
        AND NOT (included MATCHES "^resource/opencl/" AND NOT included MATCHES "/detail/")
        AND NOT (included MATCHES "^resource/opencl/detail/" AND header MATCHES "opencl"))
      list(APPEND wrong "${header}: includes the machinery of another room (${included})")
    endif()
  endforeach()
endforeach()

set(binding_dir ${ROOT}/python/src)
file(GLOB_RECURSE sources RELATIVE ${binding_dir} ${binding_dir}/*.hpp ${binding_dir}/*.cpp)
foreach(source IN LISTS sources)
  room_of(room "${source}")
  read_includes(includes ${binding_dir}/${source} "")
  foreach(included IN LISTS includes)
    if(included MATCHES "^pointsman/")
      string(REGEX REPLACE "^pointsman/" "" included "${included}")
      room_of(other "${included}")
      if(other STREQUAL "base" OR included MATCHES "/detail/|^algorithm/(host|opencl)/")
        list(APPEND wrong
          "python/src/${source}: includes machinery (${included}) instead of pointsman/binding")
      endif()
    else()
      check_order("python/src/${source}" "${room}" "${included}")
    endif()
  endforeach()
endforeach()

# pointsman.hpp includes, directly or indirectly, every header at the top of a room, except those for
# tests, and the history, for which a program links SQLite.
set(reached pointsman.hpp)
set(next pointsman.hpp)
while(next)
  set(found "")
  foreach(header IN LISTS next)
    if(EXISTS ${include_dir}/${header})
      read_includes(includes ${include_dir}/${header} "pointsman/")
      list(APPEND found ${includes})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  list(REMOVE_ITEM found ${reached})
  list(APPEND reached ${found})
  set(next ${found})
endwhile()
foreach(header IN LISTS headers)
  if(NOT header IN_LIST reached AND NOT header MATCHES "/detail/|^algorithm/(host|opencl)/|^(binding|history|testing)/")
    list(APPEND wrong "${header}: a public header that pointsman/pointsman.hpp does not include")
  endif()
endforeach()

if(EXPECT)
  if(NOT "${wrong}" MATCHES "${EXPECT}")
    message(FATAL_ERROR "expected a sentence about '${EXPECT}', but found: ${wrong}")
  endif()
elseif(wrong)
  list(JOIN wrong "\n" text)
  message(FATAL_ERROR "${text}")
endif()
