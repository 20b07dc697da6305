// SPDX-License-Identifier: Apache-2.0
// Whether a sanitizer instruments this build, for tests that then compile fewer combinations: the address
// sanitizer doubles the time to compile a template.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define POINTSMAN_TEST_SANITIZED
#endif
