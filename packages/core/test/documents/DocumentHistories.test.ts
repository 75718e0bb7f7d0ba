import { describe, expect, it } from "@effect/vitest"
import { type DocumentRecord, documentMembers, documentOf, siteMembers, transitions } from "@solar-sites/core"
import { DateTime, Effect, type Schema } from "effect"
import { documentsIn, filesIn, hasArrived, property, type Step, sampleSteps, siteIn } from "./histories.ts"
import { pathOf, site } from "./rules.ts"

/** The documents before and after a step; null where there is none. */
const pairs = ({ after, before }: Step) => {
  const [earlier, later] = [documentsIn(before), documentsIn(after)]
  const ids = new Set([...earlier, ...later].map(({ id }) => id))
  const find = (documents: ReadonlyArray<DocumentRecord>, id: string) => documents.find((one) => one.id === id) ?? null
  return [...ids].map((id) => ({ id, before: find(earlier, id), after: find(later, id) }))
}

const jsonOf = (record: object | null, member: string): Schema.Json =>
  JSON.parse(JSON.stringify((record && Reflect.get(record, member)) ?? null))

/** The old and new values of the members that differ. */
const differences = (members: ReadonlyArray<string>, before: object | null, after: object | null) =>
  Object.fromEntries(
    members.flatMap((member) => {
      const [from, to] = [jsonOf(before, member), jsonOf(after, member)]
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [[member, { from, to }]]
    })
  )

describe("from any history of commands", () => {
  property(
    "each status leads to an allowed one, a file may arrive late, and a lapse ends pending documents",
    (step) => {
      for (const { after, before } of pairs(step)) {
        if (before === null || after === null) {
          expect(after?.status ?? "pending").toBe("pending")
          continue
        }
        const { refused, status } = before
        if (status === after.status && refused === after.refused) continue
        const isLate = status === "failed" && !refused
        expect(isLate ? ["pending", "uploaded", "failed"] : transitions[status]).toContain(after.status)
        if (step.name === "lapse") expect(status).toBe("pending")
      }
    }
  )

  property("a version grows by one with each visible change, and an event describes it", (step) => {
    const states = [
      ...pairs(step).map(({ after, before, id }) => ({
        id,
        before: before && documentOf(before),
        after: after && documentOf(after),
        members: documentMembers
      })),
      { id: site.id, before: siteIn(step.before), after: siteIn(step.after), members: siteMembers }
    ]
    for (const { after, before, id, members } of states) {
      const events = step.change?.events.filter(({ subjectId }) => subjectId === id) ?? []
      if (JSON.stringify(before) === JSON.stringify(after)) {
        // A new address of a pending document is an event without a change.
        expect(events.map(({ changes, type }) => [type, changes])).toEqual(events.map(() => ["document.reissued", {}]))
        continue
      }
      expect(events.map(({ changes }) => changes)).toEqual([differences(members, before, after)])
      if (after === null) continue
      expect(after.version).toBe((before?.version ?? 0) + 1)
      expect(after.updatedAt).toEqual(step.at)
    }
  })

  property(
    "no event is about a record that did not change, and those of a document precede that of its site",
    (step) => {
      const events = step.change?.events ?? []
      const changed = step.change?.writes.map(({ id }) => id) ?? []
      for (const { subjectId } of events) expect(changed).toContain(subjectId)
      const types = events.map(({ type }) => type.split(".")[0])
      expect(types).toEqual([
        ...types.filter((type) => type === "document"),
        ...types.filter((type) => type === "site")
      ])
    }
  )

  property("an address is awaited until it expires, and no later one expires earlier", (step) => {
    const expiryOf = (store: Step["after"]) =>
      new Map(
        [...documentsIn(store), ...filesIn(store)].map(({ addressExpiresAt, id }) => [
          id,
          [...documentsIn(store), ...filesIn(store)]
            .filter((one) => one.id === id)
            .reduce((last, one) => DateTime.max(last, one.addressExpiresAt), addressExpiresAt)
        ])
      )
    const expiry = expiryOf(step.after)
    for (const [id, last] of expiryOf(step.before)) {
      expect(DateTime.toEpochMillis(expiry.get(id) ?? DateTime.makeUnsafe(0))).toBeGreaterThanOrEqual(
        DateTime.toEpochMillis(last)
      )
    }
    for (const { addressExpiresAt, lookAt, status } of documentsIn(step.after)) {
      expect(lookAt).toEqual(status === "pending" ? addressExpiresAt : null)
    }
  })

  property("a listed file belongs to no document, or to one whose file was refused", (step) => {
    const documents = documentsIn(step.after)
    for (const { id } of filesIn(step.after)) {
      const document = documents.find((one) => one.id === id)
      if (document !== undefined) expect(document).toMatchObject({ status: "failed", refused: true })
    }
    for (const { refused, status } of documents) if (refused) expect(status).toBe("failed")
  })

  property(
    "the file of a document is listed when the document is deleted, or refused before it was uploaded",
    (step) => {
      const listed = new Set(filesIn(step.after).map(({ id }) => id))
      for (const { after, before, id } of pairs(step)) {
        const isRefused = after?.refused === true && before?.refused === false && before.status !== "uploaded"
        if (after === null || isRefused) expect(listed.has(id)).toBe(true)
      }
    }
  )

  property("the cover of the site is an arrived cover image, an address, or none", (step) => {
    const { coverImageUrl } = siteIn(step.after)
    if (coverImageUrl === null || coverImageUrl.startsWith("https:")) return
    const cover = documentsIn(step.after).find((one) => pathOf(one) === coverImageUrl)
    expect(cover).toMatchObject({ type: "coverImage" })
    expect(cover !== undefined && hasArrived(cover)).toBe(true)
  })

  it.effect("all commands change something, and all kinds of events and refusals come to pass", () =>
    Effect.gen(function* () {
      const steps = yield* sampleSteps
      const changes = steps.flatMap(({ change, name }) => (change === null ? [] : [{ ...change, name }]))
      for (const name of new Set(steps.map((step) => step.name))) {
        expect(changes.filter((change) => change.name === name).length, name).toBeGreaterThan(20)
      }
      const types = new Set(changes.flatMap(({ events }) => events.map(({ type }) => type)))
      expect([...types].toSorted()).toEqual([
        ...["approved", "completed", "deleted", "failed", "reissued", "replaced", "requested", "updated"].map(
          (name) => `document.${name}`
        ),
        "document.uploaded",
        "site.updated"
      ])
      expect(new Set(steps.map(({ refusal }) => refusal))).toEqual(
        new Set([null, "DocumentNotFound", "FileNotDeleted", "InvalidTransition"])
      )
    })
  )
})
