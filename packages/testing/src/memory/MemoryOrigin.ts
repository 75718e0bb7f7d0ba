/** Where the addresses of a storage in memory lead to: a host that never is, by RFC 2606. */
export const memoryOrigin = "https://storage.invalid"
