#include "reference.h"

static int lists_heart_rate(const uint8_t *data, size_t count) {
    size_t offset = 0;
    while (offset < count) {
        size_t length = data[offset];
        if (length == 0 || length >= count - offset) return 0;
        uint8_t type = data[offset + 1];
        if (type == 0x02 || type == 0x03) {
            for (size_t at = offset + 2; at + 1 < offset + 1 + length; at += 2)
                if (data[at] == 0x0D && data[at + 1] == 0x18) return 1;
        }
        offset += length + 1;
    }
    return 0;
}

void reference_read(const uint8_t *packet, size_t count, struct reference_result *result) {
    if (count < 5 || packet[0] != 0x04 || packet[1] != 0x3E || packet[3] != 0x02) return;
    size_t end = 3 + (size_t)packet[2];
    if (end > count) end = count;
    size_t offset = 5;
    for (unsigned left = packet[4]; left > 0; left--) {
        if (end - offset < 10) return;
        const uint8_t *report = packet + offset;
        size_t length = report[8];
        if (end - offset - 10 < length) return;
        uint64_t address = 0;
        for (int index = 5; index >= 0; index--) address = address << 8 | report[2 + index];
        result->mixed += address ^ ((uint64_t)report[0] << 48) ^ ((uint64_t)report[1] << 56) ^ report[9 + length];
        result->straps += (uint64_t)lists_heart_rate(report + 9, length);
        offset += 10 + length;
    }
}
