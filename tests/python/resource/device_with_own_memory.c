/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded by tests: the device has memory of its own and, if so defined, no pinned memory is left. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

enum { host_unified_memory = 0x1035, alloc_host_ptr = 1 << 4, out_of_resources = -5 };

int32_t clGetDeviceInfo(void* device, uint32_t name, size_t size, void* value, size_t* needed) {
    int32_t (*const next)(void*, uint32_t, size_t, void*, size_t*) = dlsym(RTLD_NEXT, __func__);
    const int32_t status = next(device, name, size, value, needed);
    if (name == host_unified_memory && status == 0 && value != NULL) {
        *(uint32_t*)value = 0;
    }
    return status;
}

#ifdef NO_PINNED_MEMORY
void* clCreateBuffer(void* context, uint64_t flags, size_t size, void* host, int32_t* status) {
    void* (*const next)(void*, uint64_t, size_t, void*, int32_t*) = dlsym(RTLD_NEXT, __func__);
    if ((flags & alloc_host_ptr) != 0) {
        if (status != NULL) {
            *status = out_of_resources;
        }
        return NULL;
    }
    return next(context, flags, size, host, status);
}
#endif
