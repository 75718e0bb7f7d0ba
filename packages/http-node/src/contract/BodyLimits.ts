/** Bytes that one request may bring or name. */

/** Largest body of most operations. */
export const maximumBodyBytes = 1_048_576

/**
 * Largest body of a bulk request, and largest sum of the attributes of stored sites that a request names. Core judges
 * the sum by `MaximumPageBytes`.
 */
export const maximumBulkBytes = 8 * maximumBodyBytes
