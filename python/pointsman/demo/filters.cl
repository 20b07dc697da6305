// SPDX-License-Identifier: Apache-2.0
// The demo's filters as OpenCL kernels: sepia, then a Gaussian blur in two passes.
// The build defines RADIUS; `taps` has 2 * RADIUS + 1 elements. One work item for each pixel.

kernel void sepia(global const uchar* source, global float* target, constant float* m) {
    const size_t i = get_global_id(0);
    const float3 pixel = convert_float3(vload3(i, source));
    const float3 toned =
        (float3)(dot(pixel, vload3(0, m)), dot(pixel, vload3(1, m)), dot(pixel, vload3(2, m)));
    vstore3(min(toned, 255.0f), i, target);
}

kernel void blur_rows(global const float* source, global float* target, constant float* taps) {
    const int x = get_global_id(0);
    const int width = get_global_size(0);
    const size_t row = get_global_id(1) * (size_t)width;
    float3 sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        sum += taps[k + RADIUS] * vload3(row + clamp(x + k, 0, width - 1), source);
    }
    vstore3(sum, row + x, target);
}

kernel void blur_columns(global const float* source, global uchar* target, constant float* taps) {
    const size_t x = get_global_id(0);
    const size_t width = get_global_size(0);
    const int y = get_global_id(1);
    const int height = get_global_size(1);
    float3 sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        sum += taps[k + RADIUS] * vload3(clamp(y + k, 0, height - 1) * width + x, source);
    }
    vstore3(convert_uchar3_sat_rte(sum), y * width + x, target);
}
