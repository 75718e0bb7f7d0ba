import { describe, expect, it } from "@effect/vitest"
import { foundOf, type Site, SiteId, siteKind } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { Result } from "effect"
import { tagSites } from "../../src/sites/SiteTagging.ts"
import { at, organisationId, origin, stored } from "../records/deciding.ts"

const full = Array.from({ length: 20 }, (_, index) => `tag ${index}`)
const site = (tags: ReadonlyArray<string>) => aSite({ organisationId, tags: [...tags] })

const decide = (
  sites: ReadonlyArray<Site>,
  siteIds: ReadonlyArray<SiteId>,
  add: Array<string>,
  remove: Array<string>
) => {
  const find = { kind: siteKind, by: "id", values: siteIds }
  const found = foundOf([{ find, stored: sites.map(stored) }])
  return Result.getOrThrow(tagSites({ siteIds, add, remove }, origin)(found))
}

describe("tagSites", () => {
  it("adds and removes tags of all sites in one change, with an event each, and keeps other tags in order", () => {
    const sites = [site(["old", "theirs"]), site([]), site(["new", "old"])]
    const ids = sites.map(({ id }) => id)
    const { answer, change } = decide(sites, ids, ["new", "both"], ["old", "both"])
    expect(answer).toEqual({ missing: [], full: [] })
    const after = new Map(change?.writes.map(({ after, id }) => [id, after as Site]))
    expect(ids.map((id) => after.get(id)?.tags)).toEqual([["theirs", "new"], ["new"], ["new"]])
    expect(after.get(ids[0] ?? "")).toMatchObject({ version: 2, updatedAt: at })
    expect(change?.writes.map(({ id }) => id)).toEqual(ids.toSorted())
    expect(change?.events).toMatchObject(ids.toSorted().map((subjectId) => ({ type: "site.updated", subjectId })))
  })

  it("names sites that are missing or have no room, and changes the others", () => {
    const sites = [site(full), site(["old"])]
    const absent = SiteId.make("0197a3b0-0000-7000-8000-00000000abcd")
    const ids = sites.map(({ id }) => id)
    const { answer, change } = decide(sites, [...ids, absent], ["new"], [])
    expect(answer).toEqual({ missing: [absent], full: [ids[0]] })
    expect(change?.writes.map(({ id }) => id)).toEqual([ids[1]])
    // The site without room does not keep the other from its change.
    expect(change?.mayChange).toEqual(expect.arrayContaining(ids))
  })

  it("makes room by the tags that it removes", () => {
    const only = site(full)
    const { answer, change } = decide([only], [only.id], ["new"], ["tag 3"])
    expect(answer.full).toEqual([])
    expect(change?.writes).toMatchObject([{ after: { tags: [...full.filter((tag) => tag !== "tag 3"), "new"] } }])
  })

  it("changes nothing where all tags are as they should be", () => {
    const sites = [site(["new"]), site(["new", "old"])]
    const ids = sites.map(({ id }) => id)
    expect(decide(sites, ids, ["new"], ["gone"])).toEqual({ answer: { missing: [], full: [] }, change: null })
  })
})
