/**
 * Operations with a caller: method, path and scopes, from specification sections 4 and 13; and those
 * of the console, from section 13 and docs/people.md.
 */

import type { ApiScope } from "@solar-sites/core"

export interface Operation {
  readonly method: string
  readonly path: string
  /** Needed before the body is read. */
  readonly scopes: ReadonlyArray<ApiScope>
}

const operation = (method: string, path: string, ...scopes: ReadonlyArray<ApiScope>): Operation => ({
  method,
  path: `/api${path}`,
  scopes
})

/** Needs a session instead of scopes: the rule judges the role. */
const ofConsole = (method: string, path: string): Operation => ({ method, path: `/console${path}`, scopes: [] })

export const apiOperations = {
  listSites: operation("GET", "/sites", "sites:read"),
  createSite: operation("POST", "/sites", "sites:write"),
  bulkSites: operation("POST", "/sites/bulk", "sites:write"),
  getSite: operation("GET", "/sites/{id}", "sites:read"),
  updateSite: operation("PUT", "/sites/{id}", "sites:write"),
  deleteSite: operation("DELETE", "/sites/{id}", "sites:write"),
  listPortfolios: operation("GET", "/portfolios", "portfolios:read"),
  createPortfolios: operation("POST", "/portfolios", "portfolios:write"),
  listPortfoliosWithSites: operation("GET", "/portfolios/with-sites", "portfolios:read", "sites:read"),
  getPortfolio: operation("GET", "/portfolios/{id}", "portfolios:read"),
  updatePortfolio: operation("PUT", "/portfolios/{id}", "portfolios:write"),
  deletePortfolio: operation("DELETE", "/portfolios/{id}", "portfolios:write"),
  addSitesToPortfolio: operation("POST", "/portfolios/{id}/sites", "portfolios:write"),
  removeSitesFromPortfolio: operation("DELETE", "/portfolios/{id}/sites", "portfolios:write"),
  issueUploadUrls: operation("POST", "/docs/bulk-upload-url", "documents:write"),
  listDocuments: operation("GET", "/docs", "documents:read"),
  getDocument: operation("GET", "/docs/{id}", "documents:read"),
  changeDocumentStatus: operation("PUT", "/docs/{id}"),
  deleteDocument: operation("DELETE", "/docs/{id}", "documents:write"),
  listRevisions: operation("GET", "/docs/{id}/revisions", "documents:read"),
  getDownloadUrl: operation("GET", "/docs/{id}/download-url", "documents:read"),
  reissueUploadUrl: operation("POST", "/docs/{id}/upload-url", "documents:write"),
  getDocumentRequirements: operation("GET", "/document-requirements", "requirements:read"),
  replaceDocumentRequirements: operation("PUT", "/document-requirements", "requirements:write"),
  listCoverage: operation("GET", "/coverage", "documents:read"),
  summariseCoverage: operation("GET", "/coverage/summary", "documents:read"),
  listEvents: operation("GET", "/events", "events:read"),
  listWebhooks: operation("GET", "/webhooks", "webhooks:read"),
  createWebhook: operation("POST", "/webhooks", "webhooks:write"),
  getWebhook: operation("GET", "/webhooks/{id}", "webhooks:read"),
  updateWebhook: operation("PUT", "/webhooks/{id}", "webhooks:write"),
  deleteWebhook: operation("DELETE", "/webhooks/{id}", "webhooks:write"),
  rotateWebhookSecret: operation("POST", "/webhooks/{id}/rotate-secret", "webhooks:write"),
  testWebhook: operation("POST", "/webhooks/{id}/test", "webhooks:write"),
  listWebhookDeliveries: operation("GET", "/webhooks/{id}/deliveries", "webhooks:read"),
  retryWebhookDelivery: operation("POST", "/webhooks/{id}/deliveries/{deliveryId}/retry", "webhooks:write"),
  getMe: operation("GET", "/me")
}

/** Without a session, or with one that they end or replace. */
const openOperations = {
  logIn: ofConsole("POST", "/session"),
  logOut: ofConsole("DELETE", "/session"),
  lookAtInvitation: ofConsole("POST", "/invitations/look"),
  acceptInvitation: ofConsole("POST", "/invitations/accept"),
  getSessionEnd: ofConsole("GET", "/session/end"),
  requestPasswordReset: ofConsole("POST", "/password-resets"),
  completePasswordReset: ofConsole("POST", "/password-resets/complete"),
  confirmEmail: ofConsole("POST", "/email-confirmations"),
  startProviderLogin: ofConsole("GET", "/oidc/start"),
  finishProviderLogin: ofConsole("GET", "/oidc/callback")
}

const consoleOperations = {
  ...openOperations,
  getSession: ofConsole("GET", "/session"),
  listUsers: ofConsole("GET", "/users"),
  updateUser: ofConsole("PUT", "/users/{id}"),
  deleteUser: ofConsole("DELETE", "/users/{id}"),
  endSessionsOfUser: ofConsole("DELETE", "/users/{id}/sessions"),
  listInvitations: ofConsole("GET", "/invitations"),
  createInvitation: ofConsole("POST", "/invitations"),
  renewInvitation: ofConsole("POST", "/invitations/{id}/resend"),
  withdrawInvitation: ofConsole("DELETE", "/invitations/{id}"),
  listSessions: ofConsole("GET", "/sessions"),
  endSession: ofConsole("DELETE", "/sessions/{id}"),
  endOtherSessions: ofConsole("DELETE", "/sessions"),
  getAccount: ofConsole("GET", "/account"),
  updateAccount: ofConsole("PUT", "/account"),
  changePassword: ofConsole("PUT", "/account/password"),
  changeEmail: ofConsole("POST", "/account/email"),
  getSecondFactor: ofConsole("GET", "/account/second-factor"),
  beginSecondFactor: ofConsole("POST", "/account/second-factor"),
  enableSecondFactor: ofConsole("PUT", "/account/second-factor"),
  disableSecondFactor: ofConsole("DELETE", "/account/second-factor"),
  renewRecoveryCodes: ofConsole("POST", "/account/second-factor/recovery-codes"),
  resetSecondFactor: ofConsole("DELETE", "/users/{id}/second-factor"),
  listApiKeys: ofConsole("GET", "/api-keys"),
  createApiKey: ofConsole("POST", "/api-keys"),
  rotateApiKey: ofConsole("POST", "/api-keys/{id}/rotate"),
  deleteApiKey: ofConsole("DELETE", "/api-keys/{id}"),
  getOrganisation: ofConsole("GET", "/organisation"),
  requireSecondFactor: ofConsole("PUT", "/organisation"),
  renameOrganisation: ofConsole("PUT", "/organisation/name"),
  getOrganisationUse: ofConsole("GET", "/organisation/use"),
  getOrganisationOverview: ofConsole("GET", "/organisation/overview"),
  listImports: ofConsole("GET", "/imports"),
  readImportColumns: ofConsole("POST", "/imports/columns"),
  checkImport: ofConsole("POST", "/imports/check"),
  startImport: ofConsole("PUT", "/imports/{id}")
}

export const operations = { ...apiOperations, ...consoleOperations }

export type OperationName = keyof typeof operations

export type OpenOperationName = keyof typeof openOperations

export const isOfConsole = (name: OperationName): boolean => name in consoleOperations

/** The body is a file instead of JSON. */
export const hasFile = (name: OperationName): boolean =>
  name === "readImportColumns" || name === "checkImport" || name === "startImport"

export const isOpen = (name: OperationName): name is OpenOperationName => name in openOperations

/** Endpoints of the console that the model leaves out, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  "GET /console/configuration": "settings of the server, the same for every caller",
  "GET /console/coverage": "the answers of GET /api/coverage for each of some sites",
  "GET /console/sites": "the sites of GET /api/sites, chosen by their coverage",
  "GET /console/sites/csv": "the sites of GET /api/sites, chosen by their coverage",
  "GET /console/sites/clusters": "numbers of the sites of GET /api/sites",
  "POST /console/sites/tags": "the changes of PUT /api/sites/{id} to many sites; its rule and its tests cover it",
  "GET /console/organisation/views": "texts that users share; the tests of the server cover their isolation",
  "PUT /console/organisation/views": "texts that users share; the tests of the server cover their isolation",
  "POST /console/imports/faults": "the file that was sent, with a column of the faults that the check answers"
}
