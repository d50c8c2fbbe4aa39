// TCP sockets, and writing without a signal when the other side is gone.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/// Turns off the waiting for more octets (Nagle's algorithm), which would hold back the second of two packets.
static inline void chci_send_at_once(int descriptor) {
    int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

static inline int chci_tcp_socket(int family) {
    int descriptor = chci_result(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (descriptor >= 0) chci_send_at_once(descriptor);
    return descriptor;
}

static inline int chci_connect(int descriptor, const void *address, socklen_t size) {
    return chci_result(connect(descriptor, (const struct sockaddr *)address, size));
}

static inline int chci_listen(int descriptor, const void *address, socklen_t size) {
    int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    int result = chci_result(bind(descriptor, (const struct sockaddr *)address, size));
    return result < 0 ? result : chci_result(listen(descriptor, 8));
}

static inline int chci_accept(int descriptor) {
    int accepted = chci_result(accept4(descriptor, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (accepted >= 0) chci_send_at_once(accepted);
    return accepted;
}

/// Minus the error number of what the socket did in the background, 0 when it went well.
static inline int chci_pending_error(int descriptor) {
    int number = 0;
    socklen_t size = sizeof number;
    int result = chci_result(getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size));
    return result < 0 ? result : -number;
}

/// The port a listening socket was given.
static inline uint16_t chci_local_port(int descriptor) {
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) < 0) return 0;
    return ntohs(
        address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                      : ((struct sockaddr_in *)&address)->sin_port);
}

/// Writes to a socket or to anything else; a closed peer is told by EPIPE, not by a signal that would end the program.
static inline int chci_write(int descriptor, const void *octets, size_t count) {
    int result = chci_result(send(descriptor, octets, count, MSG_NOSIGNAL));
    return result == -ENOTSOCK ? chci_result(write(descriptor, octets, count)) : result;
}
