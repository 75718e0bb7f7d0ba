/**
 * The ways an organisation can be missing or closed.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { redactedIds } from "../input/Redaction.ts"
import { OrganisationId } from "./Organisation.ts"

/**
 * No organisation has this id.
 *
 * @category errors
 * @since 0.1.0
 */
export class OrganisationNotFound extends Schema.TaggedError<OrganisationNotFound>(
  "@solar-sites/core/OrganisationNotFound"
)("OrganisationNotFound", { organisationId: OrganisationId }) {
  readonly code = "organisation_not_found"

  override get message(): string {
    return `No such organisation: ${redactedIds(this.organisationId)}`
  }
}

/**
 * The key is good, but there is no organisation behind it.
 *
 * @category errors
 * @since 0.1.0
 */
export class OrganisationMissing extends Schema.TaggedError<OrganisationMissing>(
  "@solar-sites/core/OrganisationMissing"
)("OrganisationMissing", {}) {
  readonly code = "organisation_missing"

  override get message(): string {
    return "There is no organisation behind the key"
  }
}

/**
 * The key is good, but its organisation was deactivated.
 *
 * @category errors
 * @since 0.1.0
 */
export class OrganisationInactive extends Schema.TaggedError<OrganisationInactive>(
  "@solar-sites/core/OrganisationInactive"
)("OrganisationInactive", { organisationId: OrganisationId }) {
  readonly code = "organisation_inactive"

  override get message(): string {
    return `The organisation ${redactedIds(this.organisationId)} is inactive`
  }
}
