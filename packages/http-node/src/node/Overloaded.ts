/**
 * Refuses requests of an overloaded listener before any other work: a refusal by the pipeline
 * would cost about as much as a page.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Context } from "effect"
import type { HttpOptions } from "../Options.ts"
import { corsOf } from "../pipeline/Cors.ts"
import { renderProblem } from "../pipeline/ProblemResponse.ts"
import { makeRequestObserver } from "../pipeline/RequestObserver.ts"
import { type RefusalDelay, restAfter } from "./RefusalPacing.ts"

/** True of requests that are served under load too: those of operators, and files, which pass the API by. */
export const isExempt = ({ prefix, storage }: HttpOptions): ((request: IncomingMessage) => boolean) => {
  const paths = ["/health/", "/metrics", ...(storage === undefined ? [] : ["/storage/"])].map(
    (path) => `${prefix ?? ""}${path}`
  )
  return ({ url = "" }) => paths.some((path) => url.startsWith(path))
}

/** Answers 503 `overloaded`, with the headers, the access line and the metrics of every other response. */
export const refusingOverloaded = ({ corsOrigins, onRequest }: HttpOptions, delayAt: RefusalDelay) => {
  const cors = corsOf(corsOrigins)
  const observer = makeRequestObserver(onRequest)
  const context = Context.empty()
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { body, headers, requestId, status } = renderProblem("overloaded", request.headers)
    const line = { method: request.method ?? "", route: null, status, durationMs: 0 }
    observer.begin(context)
    observer.measure(line, context)
    observer.report({ requestId, ...line, organisationId: null, apiKeyId: null, keyPrefix: null }, context)
    response.writeHead(status, { ...headers, ...cors.headersFor(request) }).end(body)
    restAfter(delayAt, response)
  }
}
