# SPDX-License-Identifier: Apache-2.0
# Fails if HEADER, in the first of INCLUDE_DIRS, includes a TBB or OpenCL header, however indirectly.

list(GET INCLUDE_DIRS 0 header_dir)
list(TRANSFORM INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE include_options)
execute_process(
  COMMAND ${COMPILER} -std=c++20 -E -H -x c++ ${include_options} ${header_dir}/${HEADER}
  RESULT_VARIABLE status
  OUTPUT_QUIET
  ERROR_VARIABLE files)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${HEADER} does not compile:\n${files}")
endif()
string(REGEX MATCHALL "[^ \n]+/(tbb|oneapi/tbb|CL)/[^ \n]+" vendors "${files}")
if(vendors)
  message(FATAL_ERROR "${HEADER} must need the standard library alone, but includes ${vendors}")
endif()
