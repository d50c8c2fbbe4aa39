// Waiting for descriptors, other threads and the clock: epoll(7), eventfd(2), timerfd_create(2).
#pragma once

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>

enum {
    CHCI_READABLE = EPOLLIN,
    CHCI_WRITABLE = EPOLLOUT,
    CHCI_FAILED = EPOLLERR,
    CHCI_HUNG_UP = EPOLLHUP,
};

/// One descriptor that is ready; `result` is 1, 0 when none was within the time, or minus the error number.
struct chci_ready {
    int result;
    uint32_t events;
    uint64_t key;
};

static inline int chci_epoll_create(void) { return chci_result(epoll_create1(EPOLL_CLOEXEC)); }

static inline int chci_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t key) {
    struct epoll_event event = {.events = events, .data = {.u64 = key}};
    return chci_result(epoll_ctl(epoll, operation, descriptor, &event));
}

static inline int chci_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t key) {
    return chci_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, events, key);
}

static inline int chci_epoll_change(int epoll, int descriptor, uint32_t events, uint64_t key) {
    return chci_epoll_control(epoll, EPOLL_CTL_MOD, descriptor, events, key);
}

static inline int chci_epoll_remove(int epoll, int descriptor) {
    return chci_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0);
}

/// Waits for one descriptor, for ever when `milliseconds` is negative. The kernel hands ready descriptors out in turn.
static inline struct chci_ready chci_epoll_wait(int epoll, int milliseconds) {
    struct epoll_event event = {0};
    int result = chci_result(epoll_wait(epoll, &event, 1, milliseconds));
    return (struct chci_ready){.result = result, .events = event.events, .key = event.data.u64};
}

static inline int chci_eventfd_create(void) { return chci_result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

static inline int chci_eventfd_signal(int descriptor) { return chci_result(eventfd_write(descriptor, 1)); }

/// A timer on the clock that goes on while the machine is suspended.
static inline int chci_timer_create(void) {
    return chci_result(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK));
}

/// Sets the timer to a point of CLOCK_BOOTTIME in nanoseconds; zero takes it back.
static inline int chci_timer_set(int descriptor, int64_t nanoseconds) {
    struct itimerspec when = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
    return chci_result(timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &when, 0));
}

/// Reads what an eventfd or a timer holds, so that it is no longer ready.
static inline void chci_drain(int descriptor) {
    uint64_t count;
    ssize_t size = read(descriptor, &count, sizeof count);
    (void)size;
}

static inline int64_t chci_nanoseconds(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Since the machine started, suspended time included.
static inline int64_t chci_boot_nanoseconds(void) { return chci_nanoseconds(CLOCK_BOOTTIME); }

/// Since 1970-01-01 00:00:00 UTC.
static inline int64_t chci_civil_nanoseconds(void) { return chci_nanoseconds(CLOCK_REALTIME); }

/// The name that tools show for the calling thread; 15 characters count.
static inline void chci_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
