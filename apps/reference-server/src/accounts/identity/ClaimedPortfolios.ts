/** The limit that an OpenID provider gives a user: portfolios that its claim names by id or external id. */
import { ExternalId, type OrganisationId, PortfolioId, portfolioKind, type RepositoryError } from "@solar-sites/core"
import { Effect, Option, Schema } from "effect"
import type { Commands } from "../Commands.ts"

/** As many as an admin may give. */
const mostPortfolios = 50

const idOf = Schema.decodeOption(PortfolioId)
const externalIdOf = Schema.decodeOption(ExternalId)

/**
 * The portfolios of the organisation that the texts name, in the order of their ids. Unknown ones are left out. A claim
 * that names more than 50 limits to none: a part of them would be chosen by chance.
 */
export const claimedPortfolios = (
  load: Commands["load"],
  organisationId: OrganisationId,
  texts: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<PortfolioId>, RepositoryError> => {
  const ids = [...new Set(texts.flatMap((text) => Option.toArray(idOf(text))))]
  const externalIds = [...new Set(texts.flatMap((text) => Option.toArray(externalIdOf(text))))]
  const finds = [
    ...(ids.length === 0 ? [] : [{ kind: portfolioKind, by: "id", values: ids }]),
    ...(externalIds.length === 0 ? [] : [{ kind: portfolioKind, by: "externalId", values: externalIds }])
  ]
  if (finds.length === 0) return Effect.succeed([])
  return Effect.map(load("ProviderUsers.portfolios", organisationId, finds), (found) => {
    const byId = ids.flatMap((id) => found.byId(portfolioKind, id)?.record.id ?? [])
    const byExternalId = externalIds.flatMap((text) => found.by(portfolioKind, "externalId", text)?.record.id ?? [])
    const portfolioIds = [...new Set([...byId, ...byExternalId])].toSorted()
    return portfolioIds.length > mostPortfolios ? [] : portfolioIds
  })
}
