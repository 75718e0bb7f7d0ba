/** Bytes that requests may bring, and bytes of stored attributes that one request may name. */

/** Largest body of most operations. */
export const maximumBodyBytes = 1_048_576

/** Largest body of a bulk request. */
export const maximumBulkBytes = 8 * maximumBodyBytes

/** Largest sum of the attributes of stored sites that a request names. Core judges it by `MaximumPageBytes`. */
export const maximumAttributeBytes = maximumBulkBytes
