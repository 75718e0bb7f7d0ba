/**
 * Serves the endpoints of coverage by calling `Coverage`.
 */
import { CalendarDate, Coverage, type ListCoverage, SiteCoverage } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { CoverageApi } from "../contract/CoverageApi.ts"
import { serveGroup } from "../pipeline/Endpoint.ts"
import { reply } from "../pipeline/Reply.ts"
import { csvReplyOf } from "./CsvReply.ts"
import { replyList } from "./ListReply.ts"

const replyCsv = csvReplyOf("coverage", SiteCoverage)

/**
 * All pages of a complete list have the same day. A cursor belongs to its conditions, so a page has no chosen
 * day: its cursor is good after midnight, too.
 */
const onOneDay = (query: ListCoverage) =>
  query.limit === undefined && query.cursor === undefined
    ? Effect.map(DateTime.now, (now) => ({ asOf: CalendarDate.make(DateTime.formatIsoDateUtc(now)), ...query }))
    : Effect.succeed(query)

export const coverageHandlers = Effect.map(Coverage, (coverage) =>
  serveGroup(
    CoverageApi,
    {
      list: ({ query }) => Effect.flatMap(onOneDay(query), (query) => replyList(query, coverage.list)),
      summary: ({ query }) => Effect.map(coverage.summary(query), reply)
    },
    {
      csv: {
        list: ({ pageAt, query }) => Effect.flatMap(onOneDay(query), (query) => replyCsv(query, pageAt, coverage.list))
      }
    }
  )
)
