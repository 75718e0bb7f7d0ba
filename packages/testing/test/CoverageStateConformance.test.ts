import {
  type Document,
  type DocumentRequirement,
  documentRequirements,
  type Reach,
  RequirementRepository,
  reachParts,
  requirementRecords,
  SiteRepository
} from "@solar-sites/core"
import { requirementRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { type Breakage, notices } from "./breaking.ts"

const random = "computes coverage as core does, on every day (random records 1)"

type Service = RequirementRepository["Service"]

/** Computes coverage as if the records were others. */
const seeing =
  (change: {
    readonly documents?: (documents: ReadonlyArray<Document>) => ReadonlyArray<Document>
    readonly requirements?: (requirements: ReadonlyArray<DocumentRequirement>) => ReadonlyArray<DocumentRequirement>
  }): Breakage<Service>["replace"] =>
  ({ listCoverage, summariseCoverage }, database) => {
    const { documents = (all) => all, requirements = (all) => all } = change
    const changed = <A, E>(owner: Reach, compute: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        const owned = database.get(owner)
        if (owned === undefined) return compute
        const kept = { documents: new Map(owned.documents), requirements: new Map(owned.requirements) }
        const seen = documents([...kept.documents.values()])
        owned.documents.clear()
        for (const document of seen) {
          const stored = kept.documents.get(document.id)
          if (stored !== undefined) owned.documents.set(document.id, { ...stored, ...document })
        }
        const list = requirements(documentRequirements(null, kept.requirements.values()).requirements)
        owned.requirements.clear()
        for (const record of requirementRecords(reachParts(owner).organisationId, list))
          owned.requirements.set(record.id, record)
        return Effect.ensuring(
          compute,
          Effect.sync(() => {
            for (const [id, stored] of kept.documents) owned.documents.set(id, stored)
            owned.requirements.clear()
            for (const [id, record] of kept.requirements) owned.requirements.set(id, record)
          })
        )
      })
    return {
      listCoverage: (owner, ...asked) => changed(owner, listCoverage(owner, ...asked)),
      summariseCoverage: (owner, ...asked) => changed(owner, summariseCoverage(owner, ...asked))
    }
  }

const each = (change: (document: Document) => Partial<Document>) =>
  seeing({ documents: (all) => all.map((document) => ({ ...document, ...change(document) }) as Document) })

notices(requirementRepositoryConformance, RequirementRepository, [
  {
    breakage: "ignores from when a document is valid",
    replace: each(() => ({ validFrom: null })),
    noticedBy: [random]
  },
  {
    breakage: "ignores until when a document is valid",
    replace: each(() => ({ validUntil: null })),
    noticedBy: [random]
  },
  {
    breakage: "counts documents that are replaced",
    replace: each(() => ({ replacedBy: null })),
    noticedBy: [random]
  },
  {
    breakage: "counts failed documents",
    replace: each(({ status }) => (status === "failed" ? { status: "uploaded" } : {})),
    noticedBy: [random]
  },
  {
    breakage: "counts pending documents as current",
    replace: each(({ status }) => (status === "pending" ? { status: "uploaded" } : {})),
    noticedBy: [random]
  },
  {
    breakage: "counts documents only until they are approved",
    replace: each(({ status }) => (status === "approved" || status === "completed" ? { status: "failed" } : {})),
    noticedBy: [random]
  },
  {
    breakage: "ignores pending documents",
    replace: seeing({ documents: (all) => all.filter(({ status }) => status !== "pending") }),
    noticedBy: [random]
  },
  {
    breakage: "counts the newest document of a type",
    replace: seeing({
      documents: (all) =>
        all.filter((document) =>
          all.every(
            (other) =>
              other.id <= document.id ||
              other.siteId !== document.siteId ||
              other.documentType !== document.documentType ||
              other.status !== document.status
          )
        )
    }),
    noticedBy: [random]
  },
  {
    breakage: "demands no last day",
    replace: seeing({ requirements: (all) => all.map((one) => ({ ...one, validityRequired: false })) }),
    noticedBy: [random]
  },
  {
    breakage: "calls documents expiring a day later",
    replace: seeing({
      requirements: (all) => all.map((one) => ({ ...one, expiringWithinDays: Math.max(1, one.expiringWithinDays - 1) }))
    }),
    noticedBy: [random]
  },
  {
    breakage: "ignores the requirements of portfolios",
    replace: seeing({ requirements: (all) => all.filter(({ portfolioId }) => portfolioId === null) }),
    noticedBy: [random]
  },
  {
    breakage: "applies the requirements of portfolios to all sites",
    replace: seeing({ requirements: (all) => all.map((one) => ({ ...one, portfolioId: null })) }),
    noticedBy: [random]
  },
  {
    breakage: "orders items by document type",
    replace: seeing({
      requirements: (all) => all.toSorted((a, b) => (a.documentType < b.documentType ? -1 : 1))
    }),
    noticedBy: [random]
  },
  {
    breakage: "answers about another day",
    replace: ({ listCoverage }) => ({
      listCoverage: (owner, { asOf, ...conditions }, page) =>
        listCoverage(owner, { ...conditions, asOf: asOf.replace(/\d$/, "0") as typeof asOf }, page)
    }),
    noticedBy: [random]
  }
])

notices(requirementRepositoryConformance, SiteRepository, [
  {
    breakage: "counts sites of any health on the map",
    replace: ({ clusters }) => ({
      clusters: (owner, { health: _, ...conditions }) => clusters(owner, conditions)
    }),
    noticedBy: [random]
  },
  {
    breakage: "lists sites of any health",
    replace: ({ list }) => ({
      list: (owner, { health: _, ...conditions }, page) => list(owner, conditions, page)
    }),
    noticedBy: [random]
  }
])
