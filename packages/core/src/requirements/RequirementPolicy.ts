/** Numbers of required documents that users see (specification, section 11). */

/** Maximum length of the list of an organisation. */
export const maximumRequirements = 200

/** Days before its last day from which on a document is expiring. */
export const expiringDays = { minimum: 1, maximum: 365, default: 30 }
