/**
 * What the search offers to do. The addresses open the dialogs.
 */
import { can, canChangePortfolios, type Rights } from "../shell/session.ts"
import { searchTexts } from "../texts/en/search.ts"

const texts = searchTexts.actions

export const searchActions = (
  rights: Rights,
  canInvite: boolean
): ReadonlyArray<{ readonly to: string; readonly label: string }> =>
  [
    { to: "/sites?new", label: texts.newSite, isOffered: can(rights, "sites:write") },
    { to: "/documents?upload", label: texts.upload, isOffered: can(rights, "documents:write") },
    { to: "/sites/import", label: texts.import, isOffered: can(rights, "sites:write") },
    { to: "/portfolios?new", label: texts.newPortfolio, isOffered: canChangePortfolios(rights) },
    { to: "/company/people?invite", label: texts.invite, isOffered: canInvite }
  ].flatMap(({ isOffered, ...action }) => (isOffered ? [action] : []))
