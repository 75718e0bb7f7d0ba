/**
 * Statements on many records, claims and reads: random steps, compared with the functions of core.
 */
import { atOnceCases, type Comparison, comparedCases } from "./Comparison.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  claimDeleted,
  claimFile,
  claimPending,
  createDocument,
  deleteDocument,
  documentsWithin,
  forgetDeleted,
  listDocuments,
  listRevisions,
  reopenDocument,
  stepDocument
} from "./DocumentSteps.ts"
import { begin, createPortfolio, createSite, type Random, requireDocuments } from "./RandomSteps.ts"
import { type ComparedPorts, stateOf } from "./Reference.ts"
import {
  coverage,
  deletePortfolio,
  deleteSite,
  findByExternalIds,
  listEvents,
  listPortfolios,
  listSites,
  listWithSites,
  moveSites,
  saveSites,
  updateSite
} from "./SiteSteps.ts"

type Cases = ReadonlyArray<ConformanceCase<ComparedPorts>>

/** Two organisations have records of the same ids. */
const twins: Comparison<ComparedPorts> = { steps: 100, before: begin, stateOf }

/** The same, of callers that reach some of the portfolios. */
const within: Comparison<ComparedPorts> = { ...twins, steps: 70, counts: { isLimited: true } }

/** One organisation with few records, so that most commands at once meet, and with what further steps store. */
const met = (...further: ReadonlyArray<Random>): Comparison<ComparedPorts> => ({
  counts: { owners: 1, portfolios: 2, sites: 3, documents: 3 },
  before: (world) => [...begin(world), ...further.map((random) => random(world))],
  stateOf
})

export const siteReferenceCases: Cases = [
  ...comparedCases(
    "saves, deletes and lists sites as core does, in organisations with the same ids",
    twins,
    [saveSites, saveSites, deleteSite, createSite, createPortfolio],
    [listSites, listSites, findByExternalIds]
  ),
  ...comparedCases(
    "saves, deletes and lists sites within portfolios as core does",
    within,
    [saveSites, saveSites, updateSite, updateSite, deleteSite, createSite],
    [listSites, listSites, findByExternalIds, listEvents]
  ),
  ...atOnceCases("saves, changes and deletes sites at once as in some order", met(), [
    saveSites,
    saveSites,
    saveSites,
    createSite,
    createSite,
    updateSite,
    deleteSite,
    deletePortfolio,
    deletePortfolio,
    createPortfolio,
    createPortfolio
  ])
]

export const portfolioReferenceCases: Cases = [
  ...comparedCases(
    "moves sites, and deletes and lists portfolios as core does, in organisations with the same ids",
    { ...twins, steps: 140 },
    [moveSites, moveSites, moveSites, deletePortfolio, createPortfolio, createSite, requireDocuments],
    [listPortfolios, listWithSites, listWithSites, coverage]
  ),
  ...comparedCases(
    "moves sites, and lists portfolios, coverage and events within portfolios as core does",
    within,
    [moveSites, moveSites, moveSites, deletePortfolio, createPortfolio, createSite, deleteSite, requireDocuments],
    [listPortfolios, listWithSites, listWithSites, coverage, coverage, listEvents]
  ),
  ...atOnceCases("moves sites and deletes portfolios at once as in some order", met(requireDocuments), [
    moveSites,
    moveSites,
    moveSites,
    deletePortfolio,
    deletePortfolio,
    deleteSite,
    requireDocuments,
    createPortfolio,
    createPortfolio,
    createSite
  ])
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
  ...comparedCases(
    "claims, deletes and lists documents and files as core does, in organisations with the same ids",
    { ...twins, steps: 200 },
    documentCommands,
    [listDocuments, listRevisions, coverage]
  ),
  ...comparedCases(
    "changes, deletes and lists documents within portfolios as core does",
    { ...within, before: (world) => [...begin(world), ...documentsWithin(world)] },
    [
      createDocument,
      createDocument,
      createDocument,
      stepDocument,
      stepDocument,
      stepDocument,
      reopenDocument,
      deleteDocument,
      deleteSite,
      createSite,
      updateSite,
      requireDocuments
    ],
    [listDocuments, listRevisions, listRevisions, coverage, listEvents]
  ),
  ...atOnceCases(
    "changes and deletes documents and their sites at once as in some order",
    met(createDocument, createDocument, createDocument),
    [
      createDocument,
      createDocument,
      stepDocument,
      stepDocument,
      deleteDocument,
      deleteSite,
      deleteSite,
      createSite,
      createSite
    ]
  )
]

export const requirementReferenceCases: Cases = comparedCases(
  "answers coverage as core does, in organisations with the same ids",
  { ...twins, steps: 40 },
  [requireDocuments, createDocument, createDocument, stepDocument, stepDocument, moveSites, createSite, deleteSite],
  [coverage]
)
