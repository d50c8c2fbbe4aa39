#pragma once
#include <stddef.h>
#include <stdint.h>

// What one report yields: its fields mixed into one number, so that no compiler can leave the reading out, and whether it lists 180D.
struct reference_result {
    uint64_t mixed;
    uint64_t straps;
};

// Reads the reports of one LE Advertising Report event (H4), walks their AD structures and looks for service 180D.
void reference_read(const uint8_t *packet, size_t count, struct reference_result *result);
