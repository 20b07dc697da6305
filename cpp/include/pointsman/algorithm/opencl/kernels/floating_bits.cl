// SPDX-License-Identifier: Apache-2.0
// Maps floating keys, as integers with the same bits, to unsigned numbers in the order of the keys.

#ifndef POINTSMAN_KERNEL
#define key_t uint
#define bits_t uint
#define SIGN 0x80000000u
#define TURN 0u
#define BELOW 0u
#define INFINITE 0x7f800000u
#define IS_WEAK 1
#endif

// In a weak order, zeros of both signs have the same image, and all bits of the image of NaN are ones.
bits_t image_of(const key_t key) {
    const bits_t magnitude = key & (bits_t)~SIGN;
    if (IS_WEAK && magnitude > INFINITE) {
        return (bits_t) ~(bits_t)0;
    }
    const bits_t turned = IS_WEAK && magnitude == 0 ? (bits_t)0 : (bits_t)(key ^ TURN);
    return (bits_t)((turned & SIGN ? (bits_t)~turned : (bits_t)(turned ^ SIGN)) - BELOW);
}
