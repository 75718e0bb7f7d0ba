/**
 * Solar Sites over HTTP: a fetch handler, a Node listener and routes for an
 * Effect server.
 *
 * @since 0.1.0
 */
export { type HostEndpoint, type HostEndpointRequest, HostRefused, type LimitFailures } from "./HostEndpoints.ts"
export { clientNetwork } from "./middleware/ClientAddress.ts"
export { type FailureLimit, failureLimit } from "./middleware/FailureLimit.ts"
export type { Refusal } from "./middleware/Refused.ts"
export { endUnreadAnswers, type UnreadAnswers } from "./node/UnreadAnswers.ts"
export {
  type AccessLine,
  type HealthCheck,
  HealthChecks,
  type HostAuthentication,
  type HostAuthenticationRequest,
  type HostCaller,
  type HostRequest,
  type HttpOptions,
  type StorageApp
} from "./Options.ts"
export { routes, toNodeListener, toWebHandler } from "./server.ts"
