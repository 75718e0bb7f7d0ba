/**
 * The HTTP contract of Solar Sites: safe in a browser.
 *
 * @since 0.1.0
 */
export { Authentication, apiKeyHeader } from "./Authentication.ts"
export { IfMatch, listOf } from "./Conditions.ts"
export { CoverageApi } from "./CoverageApi.ts"
export { DocumentsApi } from "./DocumentsApi.ts"
export { EventsApi } from "./EventsApi.ts"
export { PortfoliosApi, SiteSelection } from "./PortfoliosApi.ts"
export { describeProblem, isProblemCode, Problem, type ProblemCode, problemMediaType, problems } from "./Problems.ts"
export { RequirementsApi } from "./RequirementsApi.ts"
export { SitesApi } from "./SitesApi.ts"
export { SolarSitesApi } from "./SolarSitesApi.ts"
export { Health, Me, SystemApi } from "./SystemApi.ts"
export { WebhooksApi } from "./WebhooksApi.ts"
