// HCITransport
