// Serial lines as carriers of octets: no echo, no signals, no translation, eight bits, no parity (termios(3)).
#pragma once

#include <termios.h>

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
