// Names of files, where the C library shows what the kernel can only to programs that ask for its extensions.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

/// Gives a file another name, unless there is one of that name: then -EEXIST (renameat2(2)). Where the file system cannot do it
/// in one step, the file has both names for a moment.
static inline int chci_rename_without_replacing(const char *from, const char *to) {
    const int here = -100, without_replacing = 1;
    int result = chci_result(syscall(SYS_renameat2, here, from, here, to, without_replacing));
    if (result != -EINVAL && result != -ENOSYS) return result;
    result = chci_result(link(from, to));
    return result < 0 ? result : chci_result(unlink(from));
}
