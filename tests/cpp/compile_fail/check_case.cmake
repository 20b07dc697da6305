# SPDX-License-Identifier: Apache-2.0
# Compiles SOURCE as VARIANT (good or bad) and checks the compiler's messages. PRECOMPILED, if it is not
# empty, replaces pointsman/dynamic_selection.hpp.

set(flags "")
foreach(dir IN LISTS INCLUDE_DIRS)
  list(APPEND flags -I${dir})
endforeach()
file(STRINGS ${SOURCE} header REGEX "^#include [<\"](pointsman/dynamic_selection.hpp|oneapi/dpl/dynamic_selection)")
if(PRECOMPILED AND header)
  list(APPEND flags -include ${PRECOMPILED})
endif()
if(VARIANT STREQUAL "bad")
  list(APPEND flags -DPOINTSMAN_BAD)
  file(STRINGS ${SOURCE} expected REGEX "^// expect: ")
  list(TRANSFORM expected REPLACE "^// expect: +" "")
  if(NOT expected)
    message(FATAL_ERROR "${SOURCE} has no line `// expect: <words of the error>`")
  endif()
endif()

execute_process(
  COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -fmessage-length=0 ${flags} ${SOURCE}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)

if(VARIANT STREQUAL "good")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "The good lines must compile, but the compiler says:\n${output}")
  endif()
else()
  if(status EQUAL 0)
    message(FATAL_ERROR "The bad line must not compile, but it does")
  endif()
  foreach(words IN LISTS expected)
    string(FIND "${output}" "${words}" position)
    if(position EQUAL -1)
      message(FATAL_ERROR "The error must say\n  ${words}\nbut the compiler says:\n${output}")
    endif()
  endforeach()
endif()
