/** Organisations with two portfolios, and all lists over statements that forget to which of them a caller is limited. */
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import {
  CalendarDate,
  DocumentRepository,
  EventRepository,
  ExternalId,
  eventOrigins,
  OrganisationRepository,
  PortfolioRepository,
  type Reach,
  RequirementRepository,
  requirementListRecords,
  SiteRepository
} from "@solar-sites/core"
import {
  aDocument,
  anOrganisation,
  aPortfolio,
  aRequirement,
  aSite,
  documentMethods,
  portfolioMethods,
  siteMethods
} from "@solar-sites/testing"
import { DateTime, Effect, Layer } from "effect"

export const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const later = DateTime.makeUnsafe("2026-06-01T13:00:00Z")

/** A portfolio with a site that has a document and was renamed, and with a deleted site. */
const aPlace = Effect.fnUntraced(function* (organisationId: ReturnType<typeof anOrganisation>["id"], name: string) {
  const [sites, portfolios, documents] = [yield* siteMethods, yield* portfolioMethods, yield* documentMethods]
  const portfolio = aPortfolio({ organisationId })
  yield* portfolios.insertMany(organisationId, [portfolio])
  const members = { organisationId, portfolioId: portfolio.id }
  const [site, deleted] = [aSite({ ...members, externalId: ExternalId.make(name) }), aSite(members)]
  for (const one of [site, deleted]) yield* sites.insert(organisationId, one)
  const document = aDocument({ organisationId, siteId: site.id })
  yield* documents.insertMany(organisationId, site.id, [document], later)
  yield* sites.update(organisationId, site.id, { siteName: "Renamed" }, { at })
  yield* sites.delete(organisationId, deleted.id)
  return { portfolio, site, document, deleted }
})

/** Two portfolios of an organisation, and a site in none. */
export const twoPlaces = Effect.gen(function* () {
  const organisation = anOrganisation()
  const organisationId = organisation.id
  yield* (yield* OrganisationRepository).insert(organisation)
  const [own, other] = [yield* aPlace(organisationId, "own"), yield* aPlace(organisationId, "other")]
  yield* (yield* siteMethods).insert(organisationId, aSite({ organisationId }))
  const { find, replace } = yield* requirementListRecords
  yield* find(organisationId)
  const requirements = [own, other].map(({ portfolio }) => aRequirement({ portfolioId: portfolio.id }))
  yield* replace(organisationId, [aRequirement(), ...requirements], { at })
  const reach = { organisationId, portfolioIds: [own.portfolio.id] }
  return { organisationId, own, other, reach, origin: yield* (yield* eventOrigins)(organisationId) }
})

/** The ports over statements without the limit, which have a scope with it. */
export const forgetful = Effect.fnUntraced(function* (portfolioIds: ReadonlyArray<string>) {
  const client = yield* PgClient
  const limited = PgClient.of({
    ...client,
    run: (statement) => {
      const { scope } = statement
      return client.run(typeof scope === "object" ? { ...statement, scope: { ...scope, portfolioIds } } : statement)
    }
  })
  return yield* Layer.build(Layer.fresh(layerPorts).pipe(Layer.provide(Layer.succeed(PgClient, limited))))
})

export const page = { after: null, limit: 100 }
const asOf = CalendarDate.make("2026-06-01")

/** Every list, in a reach. */
export const everyList = Effect.fnUntraced(function* (
  reach: Reach,
  { document, site }: Pick<Effect.Success<typeof twoPlaces>["own"], "document" | "site">
) {
  const [sites, portfolios, documents] = [yield* SiteRepository, yield* PortfolioRepository, yield* DocumentRepository]
  const [coverage, events] = [yield* RequirementRepository, yield* EventRepository]
  return JSON.parse(
    JSON.stringify([
      (yield* sites.list(reach, {}, page)).items,
      (yield* sites.list(reach, { q: "renamed" }, page)).items,
      (yield* sites.list(reach, { siteId: site.id }, page)).items,
      [
        ...(yield* sites.idsByExternalId(
          reach,
          ["own", "other"].map((id) => ExternalId.make(id))
        ))
      ],
      (yield* portfolios.list(reach, {}, page)).items,
      (yield* portfolios.listWithSites(reach, page)).items,
      (yield* documents.list(reach, {}, page)).items,
      (yield* documents.list(reach, { siteId: site.id }, page)).items,
      (yield* documents.listRevisions(reach, document.id, page)).items,
      (yield* coverage.listCoverage(reach, { asOf }, page)).items,
      yield* coverage.summariseCoverage(reach, { asOf }),
      (yield* events.list(reach, {}, { ...page, order: "asc" })).items.filter(
        ({ siteId, type }) =>
          // Events of portfolios, and of the organisation, which the feed of limited callers leaves out.
          siteId !== null || type.startsWith("portfolio.")
      )
    ])
  )
})
