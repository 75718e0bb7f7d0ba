/**
 * Serves bulk operations on sites, with pointers to the places of the request.
 */
import {
  type BulkSites,
  type PortfolioId,
  type Portfolios,
  PortfoliosNotFound,
  SiteId,
  type Sites
} from "@solar-sites/core"
import { Array as Arr, Effect, Schema } from "effect"
import type { Replay } from "../pipeline/Idempotency.ts"
import { refusedExternalIds, refusedPortfolios } from "../pipeline/Refused.ts"
import { reply } from "../pipeline/Reply.ts"
import { restoredTexts } from "./ReplayedReply.ts"

const pointing = ({ sites }: BulkSites) => refusedPortfolios("/sites", sites)

export const serveBulk = (sites: Sites["Service"], input: BulkSites) => {
  const pointerTo = (taken: string) =>
    `/sites/${input.sites.findIndex(({ externalId }) => externalId === taken)}/externalId`
  return sites.bulk(input).pipe(
    Effect.map((result) => reply(result)),
    Effect.catchTags({
      PortfoliosNotFound: pointing(input),
      ExternalIdTaken: (refusal) => Effect.fail(refusedExternalIds(refusal, pointerTo))
    })
  )
}

/** Fails with all missing portfolios. Concurrent look-ups are batched. */
export const bulkPortfolios = (portfolios: Portfolios["Service"], input: BulkSites) => {
  const named = new Set(input.sites.flatMap(({ portfolioId = null }) => (portfolioId === null ? [] : [portfolioId])))
  const missing = Effect.forEach(
    named,
    (id) =>
      Effect.as(portfolios.get(id), []).pipe(
        Effect.catchTag(
          "PortfolioNotFound",
          ({ portfolioId }): Effect.Effect<Array<PortfolioId>> => Effect.succeed([portfolioId])
        )
      ),
    { concurrency: 10 }
  )
  return Effect.flatMap(missing, (found) => {
    const portfolioIds = found.flat()
    return Arr.isArrayNonEmpty(portfolioIds) ? pointing(input)(new PortfoliosNotFound({ portfolioIds })) : Effect.void
  })
}

// Bytes of an answer above which its ids and results are stored alone.
const longest = 30_000

const letters = { created: "c", updated: "u", unchanged: "n" } as const
const results = { c: "created", u: "updated", n: "unchanged" } as const

const decodeAnswer = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      data: Schema.Array(
        Schema.Struct({
          result: Schema.Literals(["created", "updated", "unchanged"]),
          site: Schema.Struct({ id: Schema.NullOr(Schema.String) })
        })
      ),
      summary: Schema.Unknown,
      dryRun: Schema.Boolean
    })
  )
)

const Stored = Schema.fromJsonString(
  Schema.Struct({
    sites: Schema.Array(Schema.TemplateLiteral([Schema.Literals(["c", "u", "n"]), Schema.String])),
    summary: Schema.Unknown
  })
)
const decodeStored = Schema.decodeUnknownEffect(Stored)

/**
 * A long answer is stored as ids and results, and the sites are read again: a deleted one is
 * left out. A long dry run is not stored, since it can be repeated.
 */
export const bulkReplay = (sites: Sites["Service"]): Replay => ({
  shorten: (body) => {
    if (Buffer.byteLength(body) <= longest) return body
    const { data, dryRun, summary } = decodeAnswer(body)
    if (dryRun) return body
    return JSON.stringify({ sites: data.map(({ result, site }) => `${letters[result]}${site.id}`), summary })
  },
  restore: Effect.fnUntraced(function* (stored: string) {
    if (!stored.startsWith('{"sites":')) return stored
    const { sites: entries, summary } = yield* Effect.orDie(decodeStored(stored))
    const data = yield* restoredTexts(entries, (entry) => {
      // The schema has checked the letter.
      const result = results[entry.charAt(0) as keyof typeof results]
      return sites.get(SiteId.make(entry.slice(1))).pipe(
        Effect.map((site) => [{ result, site }]),
        Effect.catchTag("SiteNotFound", () => Effect.succeed([]))
      )
    })
    return `{"data":[${data}],"summary":${JSON.stringify(summary)},"dryRun":false}`
  })
})
