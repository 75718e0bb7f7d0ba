/**
 * Serves the endpoints of required documents by calling `Requirements`.
 */
import { type PortfolioNotFound, type ReplaceRequirements, Requirements } from "@solar-sites/core"
import { Effect } from "effect"
import { RequirementsApi } from "../contract/RequirementsApi.ts"
import { serveGroup } from "../pipeline/Endpoint.ts"
import { Refused } from "../pipeline/Refused.ts"
import { replyVersioned } from "../pipeline/Reply.ts"
import { expectedVersions } from "./Conditions.ts"

/** Names the places in the request, never the id. */
const pointing =
  ({ requirements = [] }: ReplaceRequirements) =>
  ({ code, portfolioId }: PortfolioNotFound) => {
    const detail = "is no portfolio of your organisation"
    const errors = requirements.flatMap((requirement, index) =>
      requirement.portfolioId === portfolioId ? [{ pointer: `/requirements/${index}/portfolioId`, code, detail }] : []
    )
    return Effect.fail(new Refused({ code, errors }))
  }

export const requirementsHandlers = Effect.map(Requirements, (requirements) =>
  serveGroup(RequirementsApi, {
    get: () => Effect.map(requirements.get(), replyVersioned),
    replace: ({ headers, payload }) =>
      requirements
        .replace(payload, expectedVersions(headers))
        .pipe(Effect.map(replyVersioned), Effect.catchTag("PortfolioNotFound", pointing(payload)))
  })
)
