/**
 * What the search offers to do, as far as the role of the user allows. The addresses open the dialogs.
 */
import { useQuery } from "@tanstack/react-query"
import { isManager } from "../api/people.ts"
import { configurationQuery } from "../api/queries.ts"
import { useCan, useSession } from "../shell/session.ts"
import { searchTexts } from "../texts/en/search.ts"
import type { Result } from "./useSearch.ts"

const texts = searchTexts.actions

export const useActions = (): ReadonlyArray<Result> => {
  const { user } = useSession()
  const { data: configuration } = useQuery(configurationQuery)
  const canWriteSites = useCan("sites:write")
  const canWritePortfolios = useCan("portfolios:write")
  const canUpload = useCan("documents:write")
  const canInvite = isManager(user.role) && configuration?.login.password !== false
  return [
    ...(canWriteSites ? [{ to: "/sites?new", label: texts.newSite }] : []),
    ...(canUpload ? [{ to: "/documents?upload", label: texts.upload }] : []),
    ...(canWriteSites ? [{ to: "/sites/import", label: texts.import }] : []),
    ...(canWritePortfolios ? [{ to: "/portfolios?new", label: texts.newPortfolio }] : []),
    ...(canInvite ? [{ to: "/company/people?invite", label: texts.invite }] : [])
  ].map((action) => ({ kind: "action", hint: "", ...action }))
}
