/**
 * A self-signed certificate for `secure.example` and 127.0.0.1 with its key, for loopback tests only; nothing trusts it.
 * Made with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500
 * -addext subjectAltName=DNS:secure.example,IP:127.0.0.1`.
 */
export const TEST_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4Xuzj+1YjO6CXCHk
sgPJtgFJfs99FrLClaQaTI3M7/6hRANCAATSyetb2eBavmNNNKmJZpFlyUmkQMiC
iD2cZaOiCZdehGr5p4X3RlFMliL/OIWM0uhsoQ1jtLJPR1wgfh07fI4H
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBozCCAUigAwIBAgIUacR8Wj9zkJG2iR1U4K8XWxKyeq0wCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKZmFrZSBwYWdlczAgFw0yNjExMjEwMDUzMjRaGA8yMTI2MTAy
ODAwNTMyNFowFTETMBEGA1UEAwwKZmFrZSBwYWdlczBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABNLJ61vZ4Fq+Y000qYlmkWXJSaRAyIKIPZxlo6IJl16EavmnhfdG
UUyWIv84hYzS6GyhDWO0sk9HXCB+HTt8jgejdDByMB0GA1UdDgQWBBQX0fUAzYLP
xnPn5nUhAVE/JFv/eTAfBgNVHSMEGDAWgBQX0fUAzYLPxnPn5nUhAVE/JFv/eTAf
BgNVHREEGDAWgg5zZWN1cmUuZXhhbXBsZYcEfwAAATAPBgNVHRMBAf8EBTADAQH/
MAoGCCqGSM49BAMCA0kAMEYCIQDCImYUvhpQtQrCHg9VtQH1gFbh+U8uQbbF8AOc
i4qLiQIhAJYPdj/L4XAV2rVwM8tfEjwXXVm0zymCqJF5LWUcEARS
-----END CERTIFICATE-----`,
};
