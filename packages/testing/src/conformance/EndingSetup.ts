/**
 * Setup of the cases about documents near the end of their validity.
 */
import {
  CalendarDate,
  DocumentMaintenance,
  type DocumentRecord,
  documentKind,
  type EndingConditions,
  type EndingDocument,
  type EndingPosition,
  type OrganisationId,
  type Site
} from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import { type DocumentPorts, insertDocument } from "./DocumentSetup.ts"
import type { EventPorts } from "./EventSetup.ts"
import { committed, loaded, update } from "./RecordsSetup.ts"

export type EndingPorts = DocumentPorts | EventPorts

const day = (text: string): CalendarDate => CalendarDate.make(text)

export const today = day("1995-06-15")
export const until = day("1995-07-15")
export const [before, after] = [day("1995-06-14"), day("1995-07-16")]

/** Stores an uploaded document of the site. */
export const store = Effect.fnUntraced(function* (site: Site, { id: given, ...members }: Partial<DocumentRecord>) {
  const { organisationId } = site
  const { id } = yield* insertDocument(site, given === undefined ? {} : { id: given })
  const stored = yield* loaded(organisationId, documentKind, id)
  const after = { status: "uploaded", lookAt: null, ...members }
  yield* committed(organisationId, [update(documentKind, stored, after)], { events: [] })
  return id
})

/** All pages, of `limit` documents each. */
export const listed = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  limit: number = 100,
  untilOf: EndingConditions["untilOf"] = {}
) {
  const maintenance = yield* DocumentMaintenance
  const found: Array<EndingDocument> = []
  let position: EndingPosition | null = null
  while (true) {
    const page: { readonly items: ReadonlyArray<EndingDocument>; readonly hasMore: boolean } =
      yield* maintenance.listEnding(organisationId, { today, until, untilOf }, { after: position, limit })
    assert.ok(page.items.length <= limit, `a page has at most ${limit} documents, not ${page.items.length}`)
    found.push(...page.items)
    if (!page.hasMore) return found
    assert.equal(page.items.length, limit, "a page with another one behind it is full")
    position = page.items.at(-1) ?? null
  }
})

export const idsIn = (organisationId: OrganisationId, limit?: number) =>
  Effect.map(listed(organisationId, limit), (found) => found.map(({ id }) => id))
