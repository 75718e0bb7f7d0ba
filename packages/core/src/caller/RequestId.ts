/** Id of a request, for the events that it writes. */
import { Context } from "effect"

/** Id of the current request, as in `X-Request-Id`; null outside of requests. */
export const RequestId = Context.Reference<string | null>("@solar-sites/core/RequestId", { defaultValue: () => null })
