/**
 * The ways a site operation can be refused.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { redactedIds } from "../input/Redaction.ts"
import { SiteId } from "./Site.ts"

/**
 * No such site in the caller's organisation. One that belongs to somebody else
 * is reported in the same way, so that ids cannot be probed. When several were
 * asked for, `siteIds` are those that are missing.
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
