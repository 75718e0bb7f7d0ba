/**
 * Refusals of site operations.
 */
import { Data, Effect, Schema } from "effect"
import { redactedIds } from "../input/Redaction.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { MaximumPageBytes } from "../lists/Page.ts"
import { SiteId } from "./Site.ts"

/**
 * No such site in the organisation of the caller. A site of another organisation gets the same
 * refusal, so that ids cannot be probed. `siteIds` are the missing ones of the requested ids.
 */
export class SiteNotFound extends Schema.TaggedError<SiteNotFound>("@solar-sites/core/SiteNotFound")("SiteNotFound", {
  siteIds: Schema.Array(SiteId)
}) {
  readonly code = "site_not_found"

  override get message(): string {
    return `No such site in this organisation: ${redactedIds(...this.siteIds)}`
  }
}

/** No site has the external ids of the saves at these positions, and they make no new site. */
export class SitesIncomplete extends Data.TaggedError("SitesIncomplete")<{
  readonly positions: ReadonlyArray<number>
}> {}

/**
 * The stored sites of a step have attributes of more than `MaximumPageBytes` together. Bounds the answer,
 * the events and the work of a step.
 */
export class SitesTooLarge extends Data.TaggedError("SitesTooLarge") {}

/** The refusal of an input that names such sites at `pointer`. */
export const tooLargeAt = (pointer: string): Effect.Effect<never, ValidationFailed> =>
  Effect.flatMap(MaximumPageBytes, (bytes) => {
    const detail = `must name stored sites with at most ${bytes} bytes of attributes together: send fewer at a time`
    return Effect.fail(new ValidationFailed({ faults: [{ pointer, code: "too_large", detail }] }))
  })
