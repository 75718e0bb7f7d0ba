/**
 * Look-up of O&M records in the host.
 */
import { Context, Effect } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { SiteId } from "../sites/Site.ts"
import type { OmRecordId } from "./Document.ts"

export interface OmRecordLookUp {
  /** True when the record belongs to this site of this organisation. */
  readonly exists: (
    organisationId: OrganisationId,
    siteId: SiteId,
    omRecordId: OmRecordId
  ) => Effect.Effect<boolean, RepositoryError>
}

/** Accepts every id unless the host provides its own look-up. */
export const OmRecordDirectory = Context.Reference<OmRecordLookUp>("@solar-sites/core/OmRecordDirectory", {
  defaultValue: () => ({ exists: () => Effect.succeed(true) })
})
