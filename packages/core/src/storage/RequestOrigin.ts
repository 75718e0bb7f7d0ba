/**
 * Origin of the current request, for storage served by the same server.
 */
import { Context } from "effect"

/**
 * Scheme, host and port under which the caller reached the server, such as `http://localhost:3000`.
 * Undefined outside a request and when the binding does not provide it. The caller controls this
 * value: use it only in responses to the same caller.
 */
export const RequestOrigin = Context.Reference<string | undefined>("@solar-sites/core/RequestOrigin", {
  defaultValue: () => undefined
})
