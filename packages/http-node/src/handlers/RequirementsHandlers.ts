/**
 * Serves the endpoints of required documents by calling `Requirements`.
 */
import { Requirements } from "@solar-sites/core"
import { Effect } from "effect"
import { RequirementsApi } from "../contract/RequirementsApi.ts"
import { serveGroup } from "../pipeline/Endpoint.ts"
import { refusedPortfolios } from "../pipeline/Refused.ts"
import { replyVersioned } from "../pipeline/Reply.ts"
import { expectedVersions } from "./Conditions.ts"

export const requirementsHandlers = Effect.map(Requirements, (requirements) =>
  serveGroup(RequirementsApi, {
    get: () => Effect.map(requirements.get(), replyVersioned),
    replace: ({ headers, payload }) =>
      requirements
        .replace(payload, expectedVersions(headers))
        .pipe(
          Effect.map(replyVersioned),
          Effect.catchTag("PortfoliosNotFound", refusedPortfolios("/requirements", payload.requirements ?? []))
        )
  })
)
