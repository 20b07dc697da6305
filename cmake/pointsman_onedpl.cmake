# SPDX-License-Identifier: Apache-2.0
# Finds oneDPL's own headers, which tests and benchmarks use besides pointsman's drop-in replacement:
#   python3 -m venv build/onedpl && build/onedpl/bin/pip install onedpl-devel
#   cmake --preset release -DPOINTSMAN_ONEDPL_INCLUDE_DIR=$PWD/build/onedpl/include
include_guard(GLOBAL)

# The drop-in, cpp/compat/onedpl, does not have this header.
set(onedpl_header oneapi/dpl/internal/dynamic_selection_impl/policy_base.h)
find_path(POINTSMAN_ONEDPL_INCLUDE_DIR ${onedpl_header} DOC "Folder of oneDPL's own headers")
mark_as_advanced(POINTSMAN_ONEDPL_INCLUDE_DIR)
if(POINTSMAN_ONEDPL_INCLUDE_DIR AND NOT EXISTS ${POINTSMAN_ONEDPL_INCLUDE_DIR}/${onedpl_header})
  message(FATAL_ERROR
    "POINTSMAN_ONEDPL_INCLUDE_DIR is ${POINTSMAN_ONEDPL_INCLUDE_DIR}, which has no ${onedpl_header}: "
    "point it at the include folder of oneDPL 2022.11 or later, or leave it out")
endif()
