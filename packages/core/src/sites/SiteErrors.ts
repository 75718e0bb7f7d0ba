/**
 * Refusals of site operations.
 */
import { Schema } from "effect"
import { redactedIds } from "../input/Redaction.ts"
import { SiteId } from "./Site.ts"

/**
 * No such site in the organisation of the caller. A site of another organisation gets the same
 * refusal, so that ids cannot be probed. `siteIds` are the missing ones of the requested ids.
 *
 * @category errors
 * @since 0.1.0
 */
export class SiteNotFound extends Schema.TaggedError<SiteNotFound>("@solar-sites/core/SiteNotFound")("SiteNotFound", {
  siteIds: Schema.Array(SiteId)
}) {
  readonly code = "site_not_found"

  override get message(): string {
    return `No such site in this organisation: ${redactedIds(...this.siteIds)}`
  }
}
