import type { ApiScope } from "@solar-sites/core/model"
import type { Rights } from "../src/shell/session.ts"

/** An admin with these scopes who is limited to these portfolios, or not limited. */
export const rightsOf = (
  scopes: ReadonlyArray<ApiScope>,
  portfolioIds: ReadonlyArray<string> | null = null
): Rights => ({ scopes, user: { id: "user", email: "ada@example.com", name: "Ada", role: "admin", portfolioIds } })
