/**
 * The methods of `PortfolioRepository` that rules decide, over any store of records.
 */
import { Effect, Option } from "effect"
import { eventOrigins } from "../events/EventOrigin.ts"
import { makeUnchecked } from "../persistence/MakeUnchecked.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { Records } from "../records/Records.ts"
import { Portfolio } from "./Portfolio.ts"
import { portfolioKind } from "./PortfolioKind.ts"
import type { PortfolioRepository } from "./PortfolioRepository.ts"
import {
  assumedForCreation,
  createPortfolios,
  findsOfCreation,
  findsOfUpdate,
  updatePortfolio
} from "./PortfolioRules.ts"

/**
 * @category constructors
 * @since 0.1.0
 */
export const portfolioRecords: Effect.Effect<
  Pick<PortfolioRepository["Service"], "insertMany" | "update" | "findById">,
  never,
  Records
> = Effect.gen(function* () {
  const records = yield* Records
  const originOf = yield* eventOrigins
  const deciding = makeDeciding(records)

  return {
    insertMany: (organisationId, given) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const initial = { organisationId, siteCount: 0, capacityKw: 0 }
        const portfolios = given.map((portfolio) => makeUnchecked(Portfolio, { ...portfolio, ...initial }))
        const command = { organisationId, portfolios }
        return deciding.create(
          {
            operation: "PortfolioRepository.insertMany",
            organisationId,
            finds: findsOfCreation(command),
            rule: createPortfolios(command, origin)
          },
          assumedForCreation(command)
        )
      }),

    update: (organisationId, portfolioId, changes, options) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const command = { portfolioId, changes, ...options }
        return deciding.update(portfolioKind, portfolioId, {
          operation: "PortfolioRepository.update",
          organisationId,
          finds: findsOfUpdate(command),
          rule: updatePortfolio(command, origin)
        })
      }),

    findById: (organisationId, portfolioId) =>
      Effect.map(
        records.load("PortfolioRepository.findById", organisationId, [
          { kind: portfolioKind, by: "id", values: [portfolioId] }
        ]),
        (found) => Option.map(Option.fromNullOr(found.byId(portfolioKind, portfolioId)), ({ record }) => record)
      )
  }
})
