# SPDX-License-Identifier: Apache-2.0
# Reads FAIRLEAD_VERSION from version.hpp, the only place where it is written.

set(version_header ${CMAKE_CURRENT_LIST_DIR}/../cpp/include/fairlead/version.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
set(FAIRLEAD_VERSION "")
foreach(part MAJOR MINOR PATCH)
  file(STRINGS ${version_header} line REGEX "^#define FAIRLEAD_VERSION_${part} [0-9]+$")
  if(NOT line MATCHES " ([0-9]+)$")
    message(FATAL_ERROR "${version_header} does not define FAIRLEAD_VERSION_${part}")
  endif()
  list(APPEND FAIRLEAD_VERSION ${CMAKE_MATCH_1})
endforeach()
list(JOIN FAIRLEAD_VERSION "." FAIRLEAD_VERSION)
