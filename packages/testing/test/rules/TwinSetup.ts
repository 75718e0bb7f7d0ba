/**
 * Two organisations with the same record ids and different values. A statement without its
 * organisation reads or changes the wrong record.
 */

import { type OrganisationId, type Portfolio, type Site, totalCapacityKw } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import { portfolioMethods, siteMethods } from "../../src/conformance/Methods.ts"
import { insertOrganisation, type RecordPorts } from "../../src/conformance/Setup.ts"
import { aPortfolio, aSite } from "../../src/fixtures.ts"

/**
 * `first` contains `inFirst`. `moving` is in `first` in one organisation and in `second` in the
 * other one.
 */
export interface Twin {
  readonly organisationId: OrganisationId
  readonly first: Portfolio
  readonly second: Portfolio
  readonly inFirst: Site
  readonly moving: Site
  readonly free: Site
}

const portfolioIds = () => ({ first: aPortfolio().id, second: aPortfolio().id })
const siteIds = () => ({ inFirst: aSite().id, moving: aSite().id, free: aSite().id })

const storedTwin = Effect.fnUntraced(function* (
  ids: ReturnType<typeof portfolioIds> & ReturnType<typeof siteIds>,
  home: "first" | "second",
  values: { readonly name: string; readonly capacity: number; readonly version: number }
) {
  const organisationId = yield* insertOrganisation({ name: values.name })
  const { capacity, name, version } = values
  const portfolio = (id: Portfolio["id"]) => aPortfolio({ id, organisationId, name, version })
  const site = (id: Site["id"], portfolioId: Site["portfolioId"]) =>
    aSite({ id, organisationId, siteName: name, capacity, version, portfolioId })
  const portfolios = [portfolio(ids.first), portfolio(ids.second)] as const
  const sites = [site(ids.inFirst, ids.first), site(ids.moving, ids[home]), site(ids.free, null)] as const
  yield* (yield* portfolioMethods).insertMany(organisationId, portfolios)
  const insert = (yield* siteMethods).insert
  yield* Effect.forEach(sites, (one) => insert(organisationId, one))
  const counted = ({ id, ...empty }: Portfolio) => {
    const members = sites.filter(({ portfolioId }) => portfolioId === id)
    return aPortfolio({ ...empty, id, siteCount: members.length, capacityKw: totalCapacityKw(members) })
  }
  const [first, second] = [counted(portfolios[0]), counted(portfolios[1])]
  return { organisationId, first, second, inFirst: sites[0], moving: sites[1], free: sites[2] }
})

/** All records of the organisation, by all lists. */
const contentsOf = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const everything = { after: null, limit: 100 }
  const portfolios = yield* portfolioMethods
  return {
    sites: (yield* (yield* siteMethods).list(organisationId, {}, everything)).items,
    portfolios: (yield* portfolios.list(organisationId, {}, everything)).items,
    slices: (yield* portfolios.listWithSites(organisationId, everything)).items
  }
})

/**
 * Runs the check for each organisation of a new pair. The other organisation must stay unchanged.
 */
export const forEitherTwin = <E, R>(check: (own: Twin, other: Twin) => Effect.Effect<void, E, R>) =>
  Effect.forEach(
    [true, false],
    Effect.fnUntraced(function* (isFirst) {
      const ids = { ...portfolioIds(), ...siteIds() }
      const older: Twin = yield* storedTwin(ids, "first", { name: "Older", capacity: 1, version: 2 })
      const newer: Twin = yield* storedTwin(ids, "second", { name: "Newer", capacity: 100, version: 5 })
      const [own, other] = isFirst ? [older, newer] : [newer, older]
      const before = yield* contentsOf(other.organisationId)
      yield* check(own, other)
      assert.deepEqual(yield* contentsOf(other.organisationId), before, "the other organisation keeps what it has")
    }),
    { discard: true }
  ) satisfies Effect.Effect<void, unknown, R | RecordPorts>
