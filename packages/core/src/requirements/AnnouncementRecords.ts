/**
 * The command that announces the end of validity: `load → rule → commit`.
 */
import type { DateTime } from "effect"
import { Effect } from "effect"
import type { DocumentId } from "../documents/Document.ts"
import { eventOrigins } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { type Announcement, announceDocuments, findsOfAnnouncing } from "./Announcement.ts"

export interface AnnouncementCommands {
  /**
   * Writes the events that are due on the day of `at`, and stores that they were written, in one step. Documents that
   * are not due, or no longer, stay as they are. Answers the types of the events.
   */
  readonly announce: (
    organisationId: OrganisationId,
    documentIds: ReadonlyArray<DocumentId>,
    at: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<Announcement>, RepositoryError>
}

export const announcementRecords: Effect.Effect<AnnouncementCommands, never, Records> = Effect.gen(function* () {
  const { create } = makeDeciding(yield* Records)
  const originOf = yield* eventOrigins

  return {
    announce: Effect.fnUntraced(function* (organisationId, documentIds, at) {
      const announcing = { organisationId, documentIds, at }
      const command = {
        operation: "DocumentMaintenance.announce",
        organisationId,
        finds: findsOfAnnouncing(announcing),
        rule: announceDocuments(announcing, yield* originOf(organisationId))
      }
      return yield* create(command, null)
    })
  }
})
