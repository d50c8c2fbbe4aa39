// zlib, as Debian's zlib1g-dev brings it.
#include <zlib.h>
