// Linux Bluetooth adapters: HCI sockets, the adapter ioctls and rfkill.
#pragma once

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <fcntl.h>
#include <linux/rfkill.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

enum {
    CHCI_MAXIMUM_ADAPTERS = HCI_MAX_DEV,
    CHCI_MAXIMUM_CONNECTIONS = 64,
    CHCI_NO_ADAPTER = HCI_DEV_NONE,
    CHCI_CHANNEL_CONTROL = HCI_CHANNEL_CONTROL,
    CHCI_CHANNEL_USER = HCI_CHANNEL_USER,
};

/// A socket that belongs to no adapter yet; the ioctls below work on it.
static inline int chci_socket(void) {
    return chci_result(socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI));
}

static inline int chci_bind(int descriptor, uint16_t index, uint16_t channel) {
    struct sockaddr_hci address = {.hci_family = AF_BLUETOOTH, .hci_dev = index, .hci_channel = channel};
    return chci_result(bind(descriptor, (struct sockaddr *)&address, sizeof address));
}

static inline int chci_device_up(int descriptor, uint16_t index) {
    return chci_result(ioctl(descriptor, HCIDEVUP, (unsigned long)index));
}

static inline int chci_device_down(int descriptor, uint16_t index) {
    return chci_result(ioctl(descriptor, HCIDEVDOWN, (unsigned long)index));
}

/// The indices of all adapters; answers how many there are.
static inline int chci_device_list(int descriptor, uint16_t indices[CHCI_MAXIMUM_ADAPTERS]) {
    struct {
        uint16_t count;
        struct hci_dev_req entries[CHCI_MAXIMUM_ADAPTERS];
    } list = {.count = CHCI_MAXIMUM_ADAPTERS};
    int result = chci_result(ioctl(descriptor, HCIGETDEVLIST, &list));
    if (result < 0) return result;
    int count = list.count < CHCI_MAXIMUM_ADAPTERS ? list.count : CHCI_MAXIMUM_ADAPTERS;
    for (int entry = 0; entry < count; entry++) indices[entry] = list.entries[entry].dev_id;
    return count;
}

/// What the kernel tells of an adapter, in plain types.
struct chci_device {
    int result;
    /// The least significant octet lowest.
    uint64_t address;
    uint32_t flags;
    uint8_t bus;
    uint8_t kind;
    /// LMP features, page 0 (Core Vol 2, Part C, 3.3), the first octet lowest.
    uint64_t features;
};

static inline struct chci_device chci_device_info(int descriptor, uint16_t index) {
    struct hci_dev_info info = {.dev_id = index};
    struct chci_device device = {.result = chci_result(ioctl(descriptor, HCIGETDEVINFO, &info))};
    device.flags = info.flags;
    // Bus in the low four bits, primary or alternate controller in the two above.
    device.bus = info.type & 0x0F;
    device.kind = (info.type & 0x30) >> 4;
    for (int octet = 0; octet < 6; octet++) device.address |= (uint64_t)info.bdaddr.b[octet] << (8 * octet);
    for (int octet = 0; octet < 8; octet++) device.features |= (uint64_t)info.features[octet] << (8 * octet);
    return device;
}

/// The peers of an adapter's connections, each as in `chci_device.address`; answers how many there are.
static inline int chci_connection_list(
    int descriptor, uint16_t index, uint64_t peers[CHCI_MAXIMUM_CONNECTIONS]) {
    struct {
        uint16_t index;
        uint16_t count;
        struct hci_conn_info entries[CHCI_MAXIMUM_CONNECTIONS];
    } list = {.index = index, .count = CHCI_MAXIMUM_CONNECTIONS};
    int result = chci_result(ioctl(descriptor, HCIGETCONNLIST, &list));
    if (result < 0) return result;
    int count = list.count < CHCI_MAXIMUM_CONNECTIONS ? list.count : CHCI_MAXIMUM_CONNECTIONS;
    for (int entry = 0; entry < count; entry++) {
        peers[entry] = 0;
        for (int octet = 0; octet < 6; octet++)
            peers[entry] |= (uint64_t)list.entries[entry].bdaddr.b[octet] << (8 * octet);
    }
    return count;
}

static inline int chci_flag(uint32_t flags, int flag) { return flags >> flag & 1; }
static inline int chci_is_up(uint32_t flags) { return chci_flag(flags, HCI_UP); }
static inline int chci_is_initialising(uint32_t flags) { return chci_flag(flags, HCI_INIT); }
static inline int chci_is_raw(uint32_t flags) { return chci_flag(flags, HCI_RAW); }
