# SPDX-License-Identifier: Apache-2.0
# Checks that each algorithm below ROOT has a family and takes ranges, and each family a module, a device file
# and tests named after it. ROOT is the tree, or a small tree that breaks one of these rules.

cmake_minimum_required(VERSION 3.22)

# The algorithms of each family. Add a new algorithm to its line, and a new family as a line and a name.
set(families elementwise reduction scan segment search compaction extremum sort histogram)
set(elementwise adjacent_difference copy copy_n destroy destroy_n fill fill_n for_each for_each_n generate
  generate_n move replace replace_copy replace_copy_if replace_if reverse reverse_copy rotate rotate_copy
  shift_left shift_right swap_ranges transform uninitialized_copy uninitialized_copy_n
  uninitialized_default_construct uninitialized_default_construct_n uninitialized_fill uninitialized_fill_n
  uninitialized_move uninitialized_move_n uninitialized_value_construct uninitialized_value_construct_n)
set(reduction reduce transform_reduce)
set(scan exclusive_scan inclusive_scan transform_exclusive_scan transform_inclusive_scan)
set(segment exclusive_scan_by_segment inclusive_scan_by_segment reduce_by_segment)
set(search adjacent_find all_of any_of binary_search count count_if equal find find_end find_first_of find_if
  find_if_not is_heap is_heap_until is_partitioned is_sorted is_sorted_until lexicographical_compare lower_bound
  mismatch none_of search search_n upper_bound)
set(compaction copy_if partition partition_copy remove remove_copy remove_copy_if remove_if stable_partition
  unique unique_copy)
set(extremum max_element min_element minmax_element)
set(sort includes inplace_merge merge nth_element partial_sort partial_sort_copy set_difference
  set_intersection set_symmetric_difference set_union sort sort_by_key stable_sort)
set(histogram histogram)
# Headers in this folder that declare no algorithm.
set(others async counting_iterator discard_iterator function functors half permutation_iterator ranges structure
  transform_iterator zip_iterator)
# Families without a device file of their own, each with the file whose kernels it runs.
set(device_file_of_elementwise map)

set(wrong "")
set(headers_dir cpp/include/pointsman/algorithm)

# require(<family> <path>...): adds a sentence when none of the paths exists below ROOT.
function(require family)
  foreach(path IN LISTS ARGN)
    if(EXISTS ${ROOT}/${path})
      return()
    endif()
  endforeach()
  list(JOIN ARGN " or " paths)
  list(APPEND wrong "the family ${family} has no ${paths}")
  set(wrong "${wrong}" PARENT_SCOPE)
endfunction()

# require_text(<sentence> <regex> <path>...): adds the sentence when no line of the files matches.
function(require_text sentence regex)
  foreach(path IN LISTS ARGN)
    if(NOT EXISTS ${path})
      continue()
    endif()
    file(STRINGS ${path} found REGEX "${regex}" LIMIT_COUNT 1)
    if(found)
      return()
    endif()
  endforeach()
  list(APPEND wrong "${sentence}")
  set(wrong "${wrong}" PARENT_SCOPE)
endfunction()

# Python has the algorithms that its package exports.
set(exports "")
set(package ${ROOT}/python/pointsman/algorithm/__init__.py)
if(EXISTS ${package})
  file(STRINGS ${package} exports REGEX "^    \"[a-z_]+\",$")
  list(TRANSFORM exports REPLACE "[ \",]" "")
endif()

set(known "")
foreach(family IN LISTS families)
  require(${family} tests/cpp/algorithm/${family}_test.cpp)
  require(${family} tests/python/algorithm/test_${family}.py)
  require(${family} python/pointsman/algorithm/_${family}.py)
  set(device_files ${headers_dir}/opencl/${family}.hpp)
  if(device_file_of_${family})
    list(APPEND device_files ${headers_dir}/opencl/${device_file_of_${family}}.hpp)
  endif()
  require(${family} ${device_files})

  file(GLOB cpp_tests ${ROOT}/tests/cpp/algorithm/${family}_test.cpp
    ${ROOT}/tests/cpp/algorithm/${family}_*_test.cpp)
  file(GLOB python_test ${ROOT}/tests/python/algorithm/test_${family}.py)
  foreach(algorithm IN LISTS ${family})
    list(APPEND known ${algorithm})
    if(NOT EXISTS ${ROOT}/${headers_dir}/${algorithm}.hpp)
      list(APPEND wrong "${algorithm} of the family ${family} has no header")
    endif()
    if(NOT algorithm MATCHES "_n$" OR algorithm STREQUAL search_n)
      require_text("ranges.hpp has no ${algorithm}" "^POINTSMAN_OF_RANGES\\(${algorithm}, "
        ${ROOT}/${headers_dir}/ranges.hpp)
    endif()
    require_text("no tests/cpp/algorithm/${family}*_test.cpp includes ${algorithm}.hpp"
      "^#include \"pointsman/algorithm/${algorithm}\\.hpp\"" ${cpp_tests})
    if(algorithm IN_LIST exports)
      file(GLOB python_modules ${ROOT}/python/pointsman/algorithm/_${family}.py
        ${ROOT}/python/pointsman/algorithm/_${algorithm}.py)
      require_text("_${family}.py does not define ${algorithm}" "^def ${algorithm}\\(" ${python_modules})
      require_text("test_${family}.py does not call ${algorithm}" "pm\\.${algorithm}[(,)]" ${python_test})
    endif()
  endforeach()
endforeach()

file(GLOB headers RELATIVE ${ROOT}/${headers_dir} ${ROOT}/${headers_dir}/*.hpp)
foreach(header IN LISTS headers)
  string(REPLACE ".hpp" "" algorithm ${header})
  if(NOT algorithm IN_LIST known AND NOT algorithm IN_LIST others)
    list(APPEND wrong "${header} has no family: add it to the table in tests/check_families.cmake")
  endif()
endforeach()

list(JOIN wrong "\n" report)
if(EXPECT)
  string(FIND "${report}" "${EXPECT}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "expected \"${EXPECT}\" in\n${report}")
  endif()
elseif(wrong)
  message(FATAL_ERROR "${report}")
endif()
