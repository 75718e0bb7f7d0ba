/**
 * Portfolios that the cells of a column name: by external id, else by a name that one portfolio has.
 */
import { CurrentCaller, ExternalId, Name, type PortfolioId, Portfolios } from "@solar-sites/core"
import { Effect, Option, Schema } from "effect"

/** A portfolio that a cell names, or the fault of its name. */
export type NamedPortfolio = PortfolioId | { readonly code: string; readonly detail: string }

const notFound = { code: "portfolio_not_found", detail: "is no external id and no name of a portfolio" }
const ambiguous = {
  code: "portfolio_ambiguous",
  detail: "is the name of several portfolios; write the external id of one"
}

const externalIdOf = Schema.decodeOption(ExternalId)
const nameOf = Schema.decodeOption(Name)

const pageSize = 1_000
const concurrency = 10

/** Looks up each text once. */
export const makePortfolioNames = Effect.gen(function* () {
  const portfolios = yield* Portfolios
  const caller = yield* CurrentCaller
  const known = new Map<string, NamedPortfolio>()
  // Cursors of the service itself are valid, and so are the texts.
  const list = (query: Parameters<typeof portfolios.list>[0]) =>
    portfolios
      .list(query)
      .pipe(Effect.catchTag("ValidationFailed", Effect.die), Effect.provideService(CurrentCaller, caller))

  const byName = Effect.fnUntraced(function* (name: string) {
    const found: Array<PortfolioId> = []
    let cursor: string | null = null
    do {
      const page: Effect.Success<ReturnType<typeof list>> = yield* list({
        q: name,
        limit: pageSize,
        ...(cursor === null ? {} : { cursor })
      })
      for (const portfolio of page.data) if (portfolio.name === name) found.push(portfolio.id)
      cursor = page.nextCursor
    } while (cursor !== null && found.length < 2)
    const [id, other] = found
    if (id === undefined) return notFound
    return other === undefined ? id : ambiguous
  })

  const lookUp = Effect.fnUntraced(function* (text: string) {
    const externalId = externalIdOf(text)
    if (Option.isSome(externalId)) {
      const [portfolio] = (yield* list({ externalId: externalId.value, limit: 1 })).data
      if (portfolio !== undefined) return portfolio.id
    }
    const name = nameOf(text)
    return Option.isSome(name) ? yield* byName(name.value) : notFound
  })

  return (texts: ReadonlyArray<string>) =>
    Effect.as(
      Effect.forEach(
        [...new Set(texts)].filter((text) => !known.has(text)),
        (text) => Effect.map(lookUp(text), (found) => known.set(text, found)),
        { concurrency, discard: true }
      ),
      (text: string): NamedPortfolio => known.get(text) ?? notFound
    )
})
