/** Names in the folder of a run. */

/** Folder of the data that servers copy. */
export const dataName = "data"

/** List of its organisations, which appears when the folder is complete. */
export const reportName = "organisations.json"

/** E-mail addresses of this domain log in at the provider, into an organisation of their own. */
export const providerDomain = "provider.example.com"
