/**
 * The origin of the request that is being served, for storage whose files are
 * served by the same server.
 *
 * @since 0.1.0
 */
import { Context } from "effect"

/**
 * Scheme, host and port under which the caller reached the server, such as
 * `http://localhost:3000`. Undefined outside a request, and where the binding
 * does not tell it. The caller chooses its value: use it only in answers to this
 * caller, never in what others are shown.
 *
 * @category references
 * @since 0.1.0
 */
export const RequestOrigin = Context.Reference<string | undefined>("@solar-sites/core/RequestOrigin", {
  defaultValue: () => undefined
})
