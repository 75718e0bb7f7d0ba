/**
 * What the search offers to do. The addresses open the dialogs.
 */
import type { ApiScope } from "@solar-sites/core/model"
import { searchTexts } from "../texts/en/search.ts"

const texts = searchTexts.actions

interface Rights {
  readonly scopes: ReadonlyArray<ApiScope>
  readonly canInvite: boolean
}

export interface SearchAction {
  readonly to: string
  readonly label: string
}

export const searchActions = ({ canInvite, scopes }: Rights): ReadonlyArray<SearchAction> => {
  const can = (scope: ApiScope): boolean => scopes.includes(scope)
  return [
    { to: "/sites?new", label: texts.newSite, isOffered: can("sites:write") },
    { to: "/documents?upload", label: texts.upload, isOffered: can("documents:write") },
    { to: "/sites/import", label: texts.import, isOffered: can("sites:write") },
    { to: "/portfolios?new", label: texts.newPortfolio, isOffered: can("portfolios:write") },
    { to: "/company/people?invite", label: texts.invite, isOffered: canInvite }
  ].flatMap(({ isOffered, ...action }) => (isOffered ? [action] : []))
}
