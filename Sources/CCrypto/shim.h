// libcrypto, as Debian's libssl-dev brings it.
#include <openssl/evp.h>
