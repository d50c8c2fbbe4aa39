// Serial lines as carriers of octets: no echo, no signals, no translation, eight bits, no parity (termios(3)).
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>

// The C library shows these only to programs that ask for its extensions.
extern int posix_openpt(int flags);
extern int grantpt(int primary);
extern int unlockpt(int primary);
extern int ptsname_r(int primary, char *path, size_t capacity);

/// The speed's constant, or 0 when the system has none for it.
static inline speed_t chci_speed(uint32_t baud) {
    switch (baud) {
    case 9600: return B9600;
    case 19200: return B19200;
    case 38400: return B38400;
    case 57600: return B57600;
    case 115200: return B115200;
    case 230400: return B230400;
    case 460800: return B460800;
    case 500000: return B500000;
    case 576000: return B576000;
    case 921600: return B921600;
    case 1000000: return B1000000;
    case 1152000: return B1152000;
    case 1500000: return B1500000;
    case 2000000: return B2000000;
    case 2500000: return B2500000;
    case 3000000: return B3000000;
    case 3500000: return B3500000;
    case 4000000: return B4000000;
    default: return B0;
    }
}

/// Makes the terminal a plain carrier of octets; with `baud` 0 the speed stays as it is. `flow_control`: RTS and CTS.
static inline int chci_terminal_raw(int descriptor, uint32_t baud, int flow_control) {
    struct termios settings;
    int result = chci_result(tcgetattr(descriptor, &settings));
    if (result < 0) return result;
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cflag &= ~(tcflag_t)CSTOPB;
    if (flow_control) settings.c_cflag |= CRTSCTS;
    else settings.c_cflag &= ~(tcflag_t)CRTSCTS;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    if (baud != 0) {
        speed_t speed = chci_speed(baud);
        if (speed == B0) return -EINVAL;
        cfsetispeed(&settings, speed);
        cfsetospeed(&settings, speed);
    }
    result = chci_result(tcsetattr(descriptor, TCSANOW, &settings));
    if (result < 0) return result;
    return chci_result(tcflush(descriptor, TCIOFLUSH));
}

/// A new pseudo-terminal in raw mode; answers its primary end, in non-blocking mode. Its `terminal` end is kept open, so that
/// a host that leaves does not hang it up.
static inline int chci_pty_create(int *terminal, uint8_t *path, size_t capacity) {
    int primary = chci_result(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (primary < 0) return primary;
    int failure = grantpt(primary) < 0 || unlockpt(primary) < 0 ? -errno : -ptsname_r(primary, (char *)path, capacity);
    if (failure == 0) {
        *terminal = chci_result(open((char *)path, O_RDWR | O_NOCTTY | O_CLOEXEC));
        failure = *terminal < 0 ? *terminal : chci_terminal_raw(*terminal, 0, 0);
    }
    if (failure >= 0) return primary;
    close(primary);
    return failure;
}
