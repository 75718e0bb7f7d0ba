/**
 * Statements on many records, claims and reads: random steps, compared with the functions of core.
 */
import { Effect } from "effect"
import type { ConformanceCase } from "./Conformance.ts"
import {
  claimDeleted,
  claimFile,
  claimPending,
  createDocument,
  deleteDocument,
  forgetDeleted,
  listDocuments,
  listRevisions,
  reopenDocument,
  stepDocument
} from "./DocumentSteps.ts"
import {
  begin,
  createPortfolio,
  createSite,
  makeWorld,
  one,
  type Random,
  requireDocuments,
  type World
} from "./RandomSteps.ts"
import { answerOf, type ComparedPorts, expectReference, expectSomeOrder, type Step } from "./Reference.ts"
import {
  coverage,
  deletePortfolio,
  deleteSite,
  findByExternalIds,
  listPortfolios,
  listSites,
  listWithSites,
  moveSites,
  saveSites,
  updateSite
} from "./SiteSteps.ts"
import { inBothZones } from "./TimeZone.ts"

type Cases = ReadonlyArray<ConformanceCase<ComparedPorts>>

const idsOf = ({ owners }: World) => owners.map(({ id }) => id)

/** Commands in two organisations, each followed by a read. */
const compared = (seed: number, commands: ReadonlyArray<Random>, reads: ReadonlyArray<Random>) =>
  Effect.suspend(() => {
    const world = makeWorld(seed)
    const steps = Array.from({ length: 160 }, (): Step => {
      const [command, read] = [one(world, commands)(world), one(world, reads)(world)]
      return { name: `${command.name}, ${read.name}`, run: Effect.all([answerOf(command.run), read.run]) }
    })
    return expectReference(idsOf(world), [...begin(world), ...steps])
  })

/** Few records, so that most of the commands meet. */
const few = { owners: 1, portfolios: 2, sites: 3, documents: 3 }

/** Three commands at once, and again with other records. */
const atOnce = (seed: number, commands: ReadonlyArray<Random>, creation: ReadonlyArray<Random> = []) =>
  Effect.forEach(
    Array.from({ length: 60 }),
    (_, round) => {
      const world = makeWorld(100 * seed + round, few)
      const before = [...begin(world), ...creation.map((random) => random(world))]
      return expectSomeOrder(
        idsOf(world),
        before,
        [1, 2, 3].map(() => one(world, commands)(world))
      )
    },
    { discard: true }
  )

/** A case for each of two sequences of random steps. */
const seeded = (promise: string, check: (seed: number) => ConformanceCase<ComparedPorts>["check"]): Cases =>
  [1, 2].map((seed) => ({ name: `${promise} (random steps ${seed})`, check: check(seed) }))

/** The same, the first one in two time zones. */
const inZones = ([first, ...others]: Cases): Cases => [...(first === undefined ? [] : inBothZones(first)), ...others]

export const siteReferenceCases: Cases = [
  ...inZones(
    seeded("saves, deletes and lists sites as core does, in organisations with the same ids", (seed) =>
      compared(
        seed,
        [saveSites, saveSites, deleteSite, createSite, createPortfolio],
        [listSites, listSites, findByExternalIds]
      )
    )
  ),
  ...seeded("saves, changes and deletes sites at once as in some order", (seed) =>
    atOnce(seed, [
      saveSites,
      saveSites,
      saveSites,
      createSite,
      createSite,
      updateSite,
      deleteSite,
      deletePortfolio,
      deletePortfolio
    ])
  )
]

export const portfolioReferenceCases: Cases = [
  ...inZones(
    seeded("moves sites, and deletes and lists portfolios as core does, in organisations with the same ids", (seed) =>
      compared(
        seed,
        [moveSites, moveSites, moveSites, deletePortfolio, createPortfolio, createSite, requireDocuments],
        [listPortfolios, listWithSites, listWithSites, coverage]
      )
    )
  ),
  ...seeded("moves sites and deletes portfolios at once as in some order", (seed) =>
    atOnce(
      seed,
      [moveSites, moveSites, moveSites, deletePortfolio, deletePortfolio, deleteSite, requireDocuments],
      [requireDocuments]
    )
  )
]

const documentCommands = [
  createDocument,
  createDocument,
  createDocument,
  createSite,
  requireDocuments,
  stepDocument,
  stepDocument,
  stepDocument,
  deleteDocument,
  deleteSite,
  reopenDocument,
  claimFile,
  claimPending,
  claimDeleted,
  forgetDeleted
]

export const documentReferenceCases: Cases = [
  ...inZones(
    seeded("claims, deletes and lists documents and files as core does, in organisations with the same ids", (seed) =>
      compared(seed, documentCommands, [listDocuments, listRevisions, coverage])
    )
  ),
  ...seeded("changes and deletes documents and their sites at once as in some order", (seed) =>
    atOnce(
      seed,
      [createDocument, createDocument, stepDocument, stepDocument, deleteDocument, deleteSite, deleteSite],
      [createDocument, createDocument, createDocument]
    )
  )
]
