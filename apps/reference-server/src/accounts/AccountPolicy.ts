/**
 * Numbers of accounts that users see (specification, section 13). Rules and mails take them from here, and the console
 * from its configuration.
 */

/** Hours after which a session ends, and hours without use. */
export const sessionHours = { life: 12, idle: 2 }

/** Days in which an invitation is accepted. */
export const invitationDays = 7

/** Hours in which a link works: for a new password, and for a new e-mail address. */
export const linkHours = { reset: 1, email: 24 }

/** Least number of characters of a password. */
export const minimumPasswordCharacters = 12

/** Longest life of an API key that is made in the console. */
export const maximumApiKeyDays = 3_650
