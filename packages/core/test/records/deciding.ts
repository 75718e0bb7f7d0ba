/** What the tests of rules share: the organisation, the time and the origin of a change. */
import { EventId, OrganisationId, Revision } from "@solar-sites/core"
import { anOrganisation, aSite } from "@solar-sites/testing"
import { DateTime } from "effect"

export const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")

export const origin = {
  id: EventId.make(aSite().id),
  occurredAt: at,
  actor: { userId: null, apiKeyId: null, keyPrefix: null },
  requestId: null
}

export const organisationId = OrganisationId.make(anOrganisation().id)

export const stored = <R>(record: R) => ({ record, revision: Revision("1") })
