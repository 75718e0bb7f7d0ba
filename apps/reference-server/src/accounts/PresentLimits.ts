/**
 * Limits of users and invitations, as accounts load them: without portfolios that are deleted. No stored list is changed
 * by a deletion (docs/decisions/0062).
 */
import {
  type Found,
  foundOf,
  makeUnchecked,
  type OrganisationId,
  type PortfolioId,
  type PortfolioLimit,
  presentPortfolios,
  type Records,
  type RepositoryError
} from "@solar-sites/core"
import { Effect } from "effect"
import { LinkRecord } from "./login/LinkKind.ts"
import { UserRecord } from "./people/UserKind.ts"

/** The same list, without portfolios that are gone. */
const present = (limit: PortfolioLimit, there: ReadonlySet<PortfolioId>): PortfolioLimit =>
  limit?.filter((id) => there.has(id)) ?? null

const isLimited = (record: object): record is UserRecord | LinkRecord =>
  (record instanceof UserRecord || record instanceof LinkRecord) && (record.portfolioIds?.length ?? 0) > 0

const withPresent = (record: object, there: ReadonlySet<PortfolioId>): object => {
  if (!isLimited(record)) return record
  const portfolioIds = present(record.portfolioIds, there)
  return makeUnchecked({ prototype: Object.getPrototypeOf(record) }, { ...record, portfolioIds })
}

/** Limits without portfolios that are deleted, by one load. */
export type PresentLimits = (
  organisationId: OrganisationId,
  limits: ReadonlyArray<PortfolioLimit>
) => Effect.Effect<ReadonlyArray<PortfolioLimit>, RepositoryError>

export const presentLimitsIn =
  (records: Pick<Records["Service"], "load">): PresentLimits =>
  (organisationId, limits) => {
    const ids = limits.flatMap((limit) => limit ?? [])
    return Effect.map(presentPortfolios(records, "Accounts.portfolios", organisationId, ids), (there) =>
      limits.map((limit) => present(limit, there))
    )
  }

/** The same loads, with present limits. They cost a second load where a loaded record has a limit. */
export const withPresentLimits = ({ commit, list, load }: Records["Service"]): Records["Service"] => ({
  commit,
  list,
  load: (operation, organisationId, finds, options) =>
    Effect.flatMap(load(operation, organisationId, finds, options), (found): Effect.Effect<Found, RepositoryError> => {
      const limited = found.answers.flatMap(({ stored }) => stored.map(({ record }) => record)).filter(isLimited)
      if (limited.length === 0) return Effect.succeed(found)
      const ids = limited.flatMap(({ portfolioIds }) => portfolioIds ?? [])
      return Effect.map(presentPortfolios({ load }, operation, organisationId, ids), (there) => {
        const answers = found.answers.map(({ find, stored }) => ({
          find,
          stored: stored.map(({ record, revision }) => ({ record: withPresent(record, there), revision }))
        }))
        return { ...foundOf(answers, { lastSequence: found.lastSequence }), isFull: found.isFull }
      })
    })
})
