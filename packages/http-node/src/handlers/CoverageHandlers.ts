/**
 * Serves the endpoints of coverage by calling `Coverage`.
 */
import { CalendarDate, Coverage } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { CoverageApi } from "../contract/CoverageApi.ts"
import { serveGroup } from "../pipeline/Endpoint.ts"
import { reply } from "../pipeline/Reply.ts"
import { replyList } from "./ListReply.ts"

export const coverageHandlers = Effect.map(Coverage, (coverage) =>
  serveGroup(CoverageApi, {
    // The day is chosen once, so that it is the same on all pages of a complete list.
    list: ({ query }) =>
      Effect.flatMap(DateTime.now, (now) =>
        replyList({ asOf: CalendarDate.make(DateTime.formatIsoDateUtc(now)), ...query }, coverage.list)
      ),
    summary: ({ query }) => Effect.map(coverage.summary(query), reply)
  })
)
