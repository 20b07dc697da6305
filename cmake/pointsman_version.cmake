# SPDX-License-Identifier: Apache-2.0
# Reads POINTSMAN_VERSION from version.hpp, the only place where it is written.

set(version_header ${CMAKE_CURRENT_LIST_DIR}/../cpp/include/pointsman/version.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
set(POINTSMAN_VERSION "")
foreach(part MAJOR MINOR PATCH)
  file(STRINGS ${version_header} line REGEX "^#define POINTSMAN_VERSION_${part} [0-9]+$")
  if(NOT line MATCHES " ([0-9]+)$")
    message(FATAL_ERROR "${version_header} does not define POINTSMAN_VERSION_${part}")
  endif()
  list(APPEND POINTSMAN_VERSION ${CMAKE_MATCH_1})
endforeach()
list(JOIN POINTSMAN_VERSION "." POINTSMAN_VERSION)
