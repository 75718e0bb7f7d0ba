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

/** The day is chosen once, so that it is the same on all pages of a complete list. */
const onOneDay = (query: ListCoverage) =>
  Effect.map(DateTime.now, (now) => ({ asOf: CalendarDate.make(DateTime.formatIsoDateUtc(now)), ...query }))

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
