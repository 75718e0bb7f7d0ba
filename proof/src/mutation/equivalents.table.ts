/**
 * Changes that no test can notice, by area and name, each with the reason.
 */
export const equivalents: Readonly<Record<string, Readonly<Record<string, string>>>> = {}
