/**
 * Refusals because of a missing or inactive organisation.
 */
import { Schema } from "effect"
import { redactedIds } from "../input/Redaction.ts"
import { OrganisationId } from "./Organisation.ts"

/** No organisation has this id. */
export class OrganisationNotFound extends Schema.TaggedError<OrganisationNotFound>(
  "@solar-sites/core/OrganisationNotFound"
)("OrganisationNotFound", { organisationId: OrganisationId }) {
  readonly code = "organisation_not_found"

  override get message(): string {
    return `No such organisation: ${redactedIds(this.organisationId)}`
  }
}

/** The key is valid, but its organisation does not exist. */
export class OrganisationMissing extends Schema.TaggedError<OrganisationMissing>(
  "@solar-sites/core/OrganisationMissing"
)("OrganisationMissing", {}) {
  readonly code = "organisation_missing"

  override get message(): string {
    return "The organisation of the API key does not exist"
  }
}

/** The key is valid, but its organisation is inactive. */
export class OrganisationInactive extends Schema.TaggedError<OrganisationInactive>(
  "@solar-sites/core/OrganisationInactive"
)("OrganisationInactive", { organisationId: OrganisationId }) {
  readonly code = "organisation_inactive"

  override get message(): string {
    return `The organisation ${redactedIds(this.organisationId)} is inactive`
  }
}
