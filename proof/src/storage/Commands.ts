/**
 * What callers, clients, storages and the sweeper do, each as one command.
 */
import {
  CurrentCaller,
  DocumentSweeper,
  Documents,
  type IssueHostUploads,
  Organisations,
  type StorageError,
  withSeededIds
} from "@solar-sites/core"
import { Context, DateTime, Effect } from "effect"
import { aLongTime, type Fixture, type Place, type Services } from "./Fixture.ts"
import { type Gates, RunningCommand } from "./Gates.ts"
import { graceMillis, type Known } from "./Invariants.ts"

const declaredBytes = 5
const mimeType = "application/pdf"
export type Running = Effect.Effect<unknown, unknown>

export const commandsOf = (
  { caller, client, knowsUploads, organisationId, services, siteCommands, storage }: Fixture,
  gates: Gates,
  place: Place,
  instance: 0 | 1,
  known: Known
) => {
  const context: Context.Context<Services> = services[instance]
  const documents = Context.get(context, Documents)
  const { id, key, replaces, seed, site } = place

  const issued = ({ uploadUrl }: { readonly uploadUrl: { readonly expiresAt: DateTime.Utc } }): void => {
    known.validUntil = Math.max(known.validUntil, DateTime.toEpochMillis(uploadUrl.expiresAt))
  }
  const file = { filename: "lease.pdf", mimeType, fileSize: declaredBytes, ...(replaces === null ? {} : { replaces }) }
  const request: IssueHostUploads = { siteId: site.id, fileType: "documents", files: [file] }
  const issue = Effect.map(withSeededIds(seed)(documents.issueUploads(request)), ({ results }) => {
    for (const result of results) if (result.success) issued(result)
  })
  const reissue = Effect.map(documents.reissueUpload(id), issued)

  /**
   * Sends a file to an address without a length, so that it can contradict any declaration. The
   * address is judged when the upload begins. A late one ends within the grace; a storage that does
   * not know of it sees it at its end only.
   */
  const put = (sizeBytes: number, how: "at once" | "late" | "in chunks"): Effect.Effect<void, StorageError> =>
    Effect.gen(function* () {
      const command = yield* RunningCommand
      if (command !== null) command.isUpload = true
      yield* gates.wait
      const { validUntil } = known
      if (gates.now() >= validUntil) return
      if (how === "late") {
        yield* gates.wait
        if (gates.now() >= validUntil + graceMillis) return
      }
      const upload = { key, mimeType, sizeBytes: null, maximumBytes: 100 }
      const [signed] = yield* gates.passing(storage.signUploads(organisationId, [upload], aLongTime(gates)))
      if (signed === undefined) throw new Error("no address")
      known.contents = (known.contents % 250) + 1
      const content = known.contents
      const bytes = new Uint8Array(sizeBytes).fill(content)
      const url = `${signed.path}?${signed.token}`
      const isChunked = how === "in chunks" && knowsUploads && sizeBytes > 1
      const sent = isChunked
        ? client.put({
            url,
            headers: signed.headers,
            body: [bytes.subarray(0, 1), bytes.subarray(1)],
            beforeLast: gates.wait
          })
        : gates.passing(client.put({ url, headers: signed.headers, body: bytes }))
      const { status } = yield* sent
      if (status >= 200 && status < 300) known.acknowledged = content
    })

  const change = (status: "uploaded" | "failed" | "approved" | "completed") => documents.changeStatus(id, { status })
  const arrived = documents.objectArrived(key)
  const remove = documents.delete(id)
  const { sweep } = Context.get(context, DocumentSweeper)
  const send = put(declaredBytes, "at once")
  const slow = [put(declaredBytes, "late"), put(declaredBytes, "in chunks"), put(3, "in chunks"), put(3, "late")]
  const deleteSite = siteCommands[instance].delete(organisationId, site.id)
  const createSite = siteCommands[instance].insert(organisationId, site)
  const ofClients = [send, ...slow, arrived, sweep]

  const asCaller = (commands: ReadonlyArray<Effect.Effect<unknown, unknown, CurrentCaller>>): ReadonlyArray<Running> =>
    commands.map((command) => Effect.provideService(command, CurrentCaller, caller))
  return {
    /** Commands that a status invites. */
    invited: {
      none: asCaller([createSite, issue, issue]),
      pending: asCaller([send, send, ...slow, change("uploaded"), arrived]),
      uploaded: asCaller([change("failed"), change("failed"), change("approved"), remove]),
      failed: asCaller([reissue, issue]),
      approved: asCaller([remove, change("completed")]),
      completed: asCaller([remove])
    },
    all: asCaller([
      ...ofClients,
      issue,
      reissue,
      change("uploaded"),
      change("failed"),
      change("approved"),
      change("completed"),
      remove,
      sweep,
      deleteSite,
      createSite
    ]),
    /** Commands that go on while the organisation is deleted. */
    ofClients
  }
}

export const deleteOrganisation = ({ organisationId, services }: Fixture): Running =>
  Context.get(services[0], Organisations).delete(organisationId)
