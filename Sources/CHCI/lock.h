// Locks on whole files that belong to the open file, so that they go with it, however the process ends (fcntl(2)).
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>

#ifndef F_OFD_GETLK
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#endif

/// Takes the lock; -EAGAIN when somebody else has it.
static inline int chci_lock(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result = chci_result(fcntl(descriptor, F_OFD_SETLK, &lock));
    return result == -EACCES ? -EAGAIN : result;
}

/// Whether somebody else has the lock; takes nothing.
static inline int chci_is_locked(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result = chci_result(fcntl(descriptor, F_OFD_GETLK, &lock));
    return result < 0 ? result : lock.l_type != F_UNLCK;
}
