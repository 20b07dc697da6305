# SPDX-License-Identifier: Apache-2.0
# Fails when HEADER includes anything of TBB's or OpenCL's, however indirectly.

execute_process(
  COMMAND ${COMPILER} -std=c++20 -M -x c++ -I ${INCLUDE_DIR} ${INCLUDE_DIR}/${HEADER}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE files
  ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${HEADER} does not compile:\n${errors}")
endif()
string(REGEX MATCHALL "[^ \n]+/(tbb|oneapi|CL)/[^ \n]+" vendors "${files}")
if(vendors)
  message(FATAL_ERROR "${HEADER} must need the standard library alone, but includes ${vendors}")
endif()
