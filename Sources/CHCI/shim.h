// What Swift cannot import from the system's headers: ioctl requests made by macros, flexible arrays, and the calls
// whose headers are outside Swift's Glibc module. Each is wrapped once, in a function of its own.
//
// Convention: a call answers zero or more when it succeeded and minus the error number when it failed, so that no
// caller has to read errno.
#pragma once

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

static inline int chci_result(int64_t result) { return result < 0 ? -errno : (int)result; }

#include "adapter.h"
#include "event.h"
#include "file.h"
#include "lock.h"
#include "privilege.h"
#include "stream.h"
#include "terminal.h"
