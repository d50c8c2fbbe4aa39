// libcrypto, as Debian's libssl-dev brings it.
#pragma once

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/params.h>

// What takes OSSL_PARAM is wrapped here: such a list only points to its names and values, which must last as long as it does.

/// Makes a context of CMAC ready for AES-128.
static inline int ccrypto_cmac_init(EVP_MAC_CTX *context, const unsigned char *key, size_t count) {
    char cipher[] = "AES-128-CBC";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_init(context, key, count, parameters);
}

/// Makes a key on P-256 of a point and, where it is not NULL, the private key.
static inline int ccrypto_p256_key(EVP_PKEY **key, const unsigned char *point, size_t count, const BIGNUM *scalar) {
    int parts = scalar ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM *parameters = NULL;
    int result = builder && context
        && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count) == 1
        && (!scalar || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1)
        && (parameters = OSSL_PARAM_BLD_to_param(builder)) && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, key, parts, parameters) == 1;
    OSSL_PARAM_free(parameters);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_BLD_free(builder);
    return result;
}
