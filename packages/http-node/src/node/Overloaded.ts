/**
 * Refuses requests of an overloaded listener before any other work: through the
 * application a refusal would cost a good part of what a page costs.
 */
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Context } from "effect"
import { describeProblem, problemMediaType } from "../contract/Problems.ts"
import type { HttpOptions } from "../Options.ts"
import { tellerOf } from "../pipeline/AccessLines.ts"
import { corsOf } from "../pipeline/Cors.ts"
import { isRequestId } from "../pipeline/RequestId.ts"
import { begin, measure } from "../pipeline/RequestMetrics.ts"

/** True of what operators ask for, also under load. */
export const alwaysAnswered = ({ prefix }: HttpOptions): ((request: IncomingMessage) => boolean) => {
  const paths = ["/health/", "/metrics"].map((path) => (prefix ?? "") + path)
  return ({ url = "" }) => paths.some((path) => url.startsWith(path))
}

/** Answers 503 `overloaded`, with the headers, the access line and the metrics of every other answer. */
export const refusingOverloaded = ({ corsOrigins, onRequest }: HttpOptions) => {
  const cors = corsOf(corsOrigins)
  const tell = tellerOf(onRequest)
  const context = Context.empty()
  const problem = JSON.stringify({ ...describeProblem("overloaded"), requestId: "" }).slice(0, -2)
  return (request: IncomingMessage, response: ServerResponse): void => {
    const sent = request.headers["x-request-id"]
    const requestId = isRequestId(sent) ? sent : randomUUID()
    const body = `${problem}${requestId}"}`
    const line = { method: request.method ?? "", route: null, status: 503, durationMs: 0 }
    begin(context)
    measure(line, context)
    tell?.({ requestId, ...line, organisationId: null, apiKeyId: null, keyPrefix: null }, context)
    response
      .writeHead(503, {
        "content-type": problemMediaType,
        "content-length": body.length,
        "retry-after": "1",
        "x-request-id": requestId,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        ...cors.headersFor(request)
      })
      .end(body)
  }
}
