/** Solar Sites over HTTP: a fetch handler, a Node listener and routes for an Effect server. */
export type { HostEndpoint, HostEndpointRequest, LimitFailures } from "./HostEndpoints.ts"
export { type HostMiddleware, hostGroup } from "./HostGroups.ts"
export { csvReplyOf } from "./handlers/CsvReply.ts"
export { sharedDocument } from "./handlers/SharedDocument.ts"
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
  type StorageApp,
  type StorageEvents,
  type StorageRefused,
  type StorageServing
} from "./Options.ts"
export { clientNetwork } from "./pipeline/ClientAddress.ts"
export { type FailureLimit, failureLimit } from "./pipeline/FailureLimit.ts"
export { renderProblem, sentRequestId } from "./pipeline/ProblemResponse.ts"
export { HostRefused, type Refusal } from "./pipeline/Refused.ts"
export { type Reply, reply, replyNothing } from "./pipeline/Reply.ts"
export { routes, toNodeListener, toWebHandler } from "./server.ts"
