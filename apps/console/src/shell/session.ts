/**
 * The session for the components inside of `RequireSession`.
 */
import type { ApiScope } from "@solar-sites/core/model"
import { createContext, use } from "react"
import type { Session } from "../api/Console.ts"

export const SessionContext = createContext<Session | null>(null)

export const useSession = (): Session => {
  const session = use(SessionContext)
  if (session === null) throw new Error("There is a session only inside of RequireSession.")
  return session
}

export type Rights = Pick<Session, "scopes" | "user">

/** Portfolios that the user sees; null for all. */
export const limitOf = ({ user }: Rights): ReadonlyArray<string> | null => user.portfolioIds

const isLimited = (rights: Rights): boolean => limitOf(rights) !== null

/** What the server refuses to limited users of every role. */
const ofWholeOrganisation: ReadonlyArray<ApiScope> = ["requirements:write", "webhooks:read", "webhooks:write"]

/** True if role and portfolios of the user allow the scope. The server checks it again. */
export const can = (rights: Rights, scope: ApiScope): boolean =>
  rights.scopes.includes(scope) && !(isLimited(rights) && ofWholeOrganisation.includes(scope))

/** Limited users do not create, change and delete portfolios. */
export const canChangePortfolios = (rights: Rights): boolean => !isLimited(rights) && can(rights, "portfolios:write")

/** A limited user moves sites among its portfolios, so it needs two. */
export const canMoveSites = (rights: Rights): boolean =>
  can(rights, "portfolios:write") && (limitOf(rights)?.length ?? 2) > 1

export const useLimit = (): ReadonlyArray<string> | null => limitOf(useSession())

export const useIsLimited = (): boolean => isLimited(useSession())
export const useCan = (scope: ApiScope): boolean => can(useSession(), scope)
export const useCanChangePortfolios = (): boolean => canChangePortfolios(useSession())
export const useCanMoveSites = (): boolean => canMoveSites(useSession())
