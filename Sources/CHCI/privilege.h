// Capabilities and what goes with them, without libcap: capset(2), prctl(2).
#pragma once

#include <linux/capability.h>
#include <linux/prctl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// The C library shows these only to programs that ask for all its extensions.
extern int setresuid(uid_t real, uid_t effective, uid_t saved);
extern int setresgid(gid_t real, gid_t effective, gid_t saved);

enum {
    CHCI_CAP_NET_ADMIN = CAP_NET_ADMIN,
    CHCI_CAP_NET_RAW = CAP_NET_RAW,
};

struct chci_capabilities {
    int result;
    uint64_t effective;
    uint64_t permitted;
};

/// The capabilities of the calling thread.
static inline struct chci_capabilities chci_capabilities_get(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {{0}};
    struct chci_capabilities found = {.result = chci_result(syscall(SYS_capget, &header, data))};
    found.effective = data[0].effective | (uint64_t)data[1].effective << 32;
    found.permitted = data[0].permitted | (uint64_t)data[1].permitted << 32;
    return found;
}

/// Leaves the calling thread with exactly these capabilities, permitted and effective, none inheritable.
static inline int chci_capabilities_set(uint64_t capabilities) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {
        {.effective = (uint32_t)capabilities, .permitted = (uint32_t)capabilities},
        {.effective = (uint32_t)(capabilities >> 32), .permitted = (uint32_t)(capabilities >> 32)}};
    return chci_result(syscall(SYS_capset, &header, data));
}

// The threads that run Swift's tasks block all signals but a few; of those few this is the one that serves nothing else here.
enum { CHCI_CAPABILITY_SIGNAL = SIGPROF };

/// Runs in the thread that was asked, and only calls what POSIX and the kernel allow in a signal handler.
static inline void chci_give_up_capabilities(int number, siginfo_t *information, void *context) {
    (void)number, (void)context;
    int saved = errno;
    chci_capabilities_set(0);
    uint64_t one = 1;
    ssize_t written = write(information->si_value.sival_int, &one, sizeof one);
    (void)written;
    errno = saved;
}

/// Asks another thread of this process to give up all its capabilities; it then adds 1 to the eventfd. -ESRCH when the thread has
/// ended meanwhile. The handler stays installed, as a thread may answer late.
static inline int chci_ask_to_give_up_capabilities(pid_t thread, int eventfd) {
    int number = CHCI_CAPABILITY_SIGNAL;
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
    action.sa_sigaction = chci_give_up_capabilities;
    sigemptyset(&action.sa_mask);
    int result = chci_result(sigaction(number, &action, NULL));
    if (result < 0) return result;
    siginfo_t information = {.si_signo = number, .si_code = SI_QUEUE};
    information.si_pid = getpid();
    information.si_uid = getuid();
    information.si_value.sival_int = eventfd;
    return chci_result(syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, number, &information));
}

static inline pid_t chci_thread(void) { return (pid_t)syscall(SYS_gettid); }

/// Opens a file with the rights of another user, whose it is if it is made: of the calling thread alone, and only meanwhile.
/// Root's capabilities over files go with the user and come back with it (capabilities(7)).
static inline int chci_open_as(uid_t user, gid_t group, const char *path, int flags, mode_t mode) {
    syscall(SYS_setfsgid, group);
    syscall(SYS_setfsuid, user);
    int result = chci_result(open(path, flags, mode));
    syscall(SYS_setfsuid, geteuid());
    syscall(SYS_setfsgid, getegid());
    return result;
}

/// The calling thread's permitted capabilities outlive its next change of user.
static inline int chci_keep_capabilities(int keep) { return chci_result(prctl(PR_SET_KEEPCAPS, keep, 0, 0, 0)); }

/// Nothing this thread executes can gain privileges.
static inline int chci_no_new_privileges(void) { return chci_result(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }

/// Makes all threads this user's and this group's, for good. The C library carries it to every thread.
static inline int chci_become(uid_t user, gid_t group) {
    int result = chci_result(setresgid(group, group, group));
    return result < 0 ? result : chci_result(setresuid(user, user, user));
}
