/**
 * Random histories of commands about the documents of one site. The rules decide them on records in memory.
 */
import { it } from "@effect/vitest"
import { type Document, type DocumentRecord, documentOf, type FileRecord, type Site } from "@solar-sites/core"
import { aDocument } from "@solar-sites/testing"
import { Arbitrary, DateTime, Effect, Result, Schema } from "effect"
import type { DocumentStep } from "../../src/documents/DocumentCommands.ts"
import { withMembers } from "../../src/documents/DocumentKind.ts"
import {
  deleteDocument,
  findsOfDeletion,
  findsOfStep,
  findsOfUpdate,
  stepDocument,
  updateDocument
} from "../../src/documents/DocumentRules.ts"
import { claimFile, findsOfClaim } from "../../src/documents/FileRules.ts"
import { findsOfIssue, findsOfReopening, issueUploads, reopenDocument } from "../../src/documents/UploadRules.ts"
import type { DecidedChange, Decision } from "../../src/records/Deciding.ts"
import type { Found } from "../../src/records/Found.ts"
import type { Find } from "../../src/records/RecordKind.ts"
import { findsOfUpdate as findsOfSite, updateSite } from "../../src/sites/SiteRules.ts"
import { applied, load, type RecordStore, storeOf } from "./recordStore.ts"
import { lapsed, later, organisationId, origin, pathOf, pending, site, uploaded } from "./rules.ts"

/** A deleted document is issued again under its id, so that paths are used again. */
const [first, second, third, fourth, fifth] = [pending(), pending(), pending(), pending(), pending()]
const covers = [pending({ type: "coverImage" }), pending({ type: "coverImage" })]
const pool = [first, second, third, fourth, fifth, ...covers].map(documentOf)

/** A chain of three documents, and two that are to replace the last. */
const initial = storeOf({
  document: [
    uploaded({ id: first.id, replacedBy: second.id }),
    uploaded({ id: second.id, replaces: first.id, replacedBy: third.id }),
    uploaded({ id: third.id, replaces: second.id }),
    withMembers(fourth, { replaces: third.id }),
    lapsed({ id: fifth.id, replaces: third.id })
  ],
  file: [],
  site: [site]
})

const names = [
  ...["issue", "issue", "issue", "arrive", "arrive", "arrive", "approve", "complete", "fail", "lapse"],
  ...["reissue", "reissue", "claim", "claim", "delete", "rename", "detach", "link"]
]

const index = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Command = Schema.Struct({
  name: index(names.length - 1),
  document: index(pool.length - 1),
  /** Whether the document is one that the command can change. */
  isAimed: Schema.Literals([true, true, true, false]),
  /** The document to replace, among those that can be replaced; 0 is none. */
  other: index(4),
  seconds: Schema.Literals([1, 25, 90]),
  /** Life of a new address in seconds. */
  life: Schema.Literals([5, 60, 600]),
  /** With the last claim of the file. */
  isClaiming: Schema.Literals([true, true, true, false])
})
type Command = typeof Command.Type

const histories = Arbitrary.array(Arbitrary.schema(Command), { maxLength: 80 })

/** One command, with the records before and after it. */
export interface Step {
  readonly name: string
  readonly before: RecordStore
  readonly after: RecordStore
  readonly change: DecidedChange | null
  readonly refusal: string | null
  readonly at: DateTime.Utc
}

// The store keeps the records of a kind under its name.
export const documentsIn = (store: RecordStore): ReadonlyArray<DocumentRecord> =>
  [...(store.get("document")?.values() ?? [])] as Array<DocumentRecord>
export const filesIn = (store: RecordStore): ReadonlyArray<FileRecord> =>
  [...(store.get("file")?.values() ?? [])] as Array<FileRecord>
export const siteIn = (store: RecordStore): Site => (store.get("site")?.get(site.id) ?? site) as Site

export const hasArrived = ({ status }: Pick<DocumentRecord, "status">): boolean =>
  status === "uploaded" || status === "approved" || status === "completed"

interface Call {
  readonly finds: ReadonlyArray<Find>
  readonly rule: (found: Found) => Result.Result<Decision<unknown>, { readonly _tag: string }>
}

/** Whether a command can change a document. */
const concerns = (name: string | undefined, document: DocumentRecord | undefined): boolean => {
  const { refused = false, status = "absent" } = document ?? {}
  if (name === "issue") return status === "absent"
  if (name === "arrive") return status === "pending" || (status === "failed" && !refused)
  if (name === "approve") return status === "uploaded"
  if (name === "complete") return status === "approved"
  if (name === "lapse") return status === "pending"
  if (name === "reissue") return status === "failed"
  return name === "claim" ? refused || status === "absent" : status !== "absent"
}

/** The call of a command. As in `UploadCheck`, only a current document of the same type is replaced. */
const callOf = (
  command: Command,
  store: RecordStore,
  claims: ReadonlyMap<string, DateTime.Utc>,
  at: DateTime.Utc
): Call => {
  const { document: chosen, isAimed, isClaiming, life, other } = command
  const name = names[command.name]
  const all = documentsIn(store)
  const storedOf = ({ id }: Document) => all.find((one) => one.id === id)
  const aimed = isAimed ? pool.filter((one) => concerns(name, storedOf(one))) : []
  const document = aimed[chosen % aimed.length] ?? pool[chosen] ?? aDocument()
  const { id: documentId, path: key, siteId } = document
  const claimedUntil = isClaiming ? claims.get(key) : undefined
  const addressExpiresAt = DateTime.add(at, { seconds: life })
  const step = (members: DocumentStep): Call => ({
    finds: findsOfStep(documentId, members.to),
    rule: stepDocument({ documentId, step: members, at }, origin)
  })
  switch (name) {
    case "issue": {
      const replaceable = all.filter(
        (one) => one.type === document.type && hasArrived(one) && one.replacedBy === null && one.id !== documentId
      )
      const replaces = other === 0 ? null : (replaceable[other % replaceable.length]?.id ?? null)
      const documents = [aDocument({ ...document, replaces, createdAt: at, updatedAt: at })]
      const issued = { organisationId, siteId, documents, addressExpiresAt, at }
      const issue = claimedUntil ? { ...issued, claims: { keys: [key], until: claimedUntil } } : issued
      return { finds: findsOfIssue(issue), rule: issueUploads(issue, origin) }
    }
    case "arrive":
      return step({ to: "uploaded", sizeBytes: 7 })
    case "fail":
      return step({ to: "failed", failureReason: "blurred", changes: { note: "unreadable" } })
    case "lapse":
      return step({ to: "failed", failureReason: "late", lapsedAt: storedOf(document)?.addressExpiresAt ?? at })
    case "approve":
      return step({ to: "approved" })
    case "complete":
      return step({ to: "completed" })
    case "reissue": {
      const reopening = { documentId, at, addressExpiresAt, claimedUntil, isRepetition: other === 0 }
      return { finds: findsOfReopening(reopening), rule: reopenDocument(reopening, origin) }
    }
    case "claim": {
      const claim = { organisationId, siteId, documentId, key, now: at, until: DateTime.add(at, { seconds: 30 }) }
      return { finds: findsOfClaim(claim), rule: claimFile(claim, origin) }
    }
    case "delete":
      return { finds: findsOfDeletion(documentId), rule: deleteDocument({ documentId, at }, origin) }
    case "rename": {
      const changes = { filename: `${other}.pdf` }
      return { finds: findsOfUpdate(documentId), rule: updateDocument({ documentId, at, changes }, origin) }
    }
    default: {
      const coverImageUrl = name === "detach" ? null : "https://example.com/cover.png"
      const update = { organisationId, siteId, changes: { coverImageUrl }, at }
      return { finds: findsOfSite(update), rule: updateSite(update, origin) }
    }
  }
}

/** Decides the commands one after the other, and applies what they change. */
const run = (commands: ReadonlyArray<Command>): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  const claims = new Map<string, DateTime.Utc>()
  let [before, at] = [initial, later(0)]
  for (const command of commands) {
    at = DateTime.add(at, { seconds: command.seconds })
    const { finds, rule } = callOf(command, before, claims, at)
    const result = rule(load(before, finds))
    const change = Result.isSuccess(result) ? result.success.change : null
    const after = change === null ? before : applied(before, change)
    for (const { claimedUntil, ...file } of filesIn(after)) {
      if (claimedUntil !== null) claims.set(pathOf(file), claimedUntil)
    }
    const refusal = Result.isFailure(result) ? result.failure._tag : null
    steps.push({ name: names[command.name] ?? "", before, after, change, refusal, at })
    before = after
  }
  return steps
}

const settings = { size: 80, seed: 2026 }

/** A property that holds for every step of every history. */
export const property = (name: string, check: (step: Step) => void): void =>
  it.prop(
    name,
    [histories],
    ([commands]) => {
      for (const step of run(commands)) check(step)
    },
    { arbitrary: { ...settings, runs: 100 } }
  )

/** The steps of such histories, to show what comes to pass in them. */
export const sampleSteps = Effect.map(Arbitrary.sampleEffect(histories, { ...settings, count: 200 }), (sample) =>
  sample.flatMap(run)
)
