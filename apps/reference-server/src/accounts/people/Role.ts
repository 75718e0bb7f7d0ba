/** Roles of users inside their organisation, and what each allows (specification, section 13). */
import { type ApiScope, apiScopes } from "@solar-sites/core"
import { Data, Schema } from "effect"

/** From most to least. */
export const Role = Schema.Literals(["owner", "admin", "member", "viewer"])
export type Role = typeof Role.Type

const reading = apiScopes.filter((scope) => scope.endsWith(":read"))
const working: ReadonlyArray<ApiScope> = ["sites:write", "portfolios:write", "documents:write", "documents:approve"]

const scopes: Readonly<Record<Role, "all" | ReadonlyArray<ApiScope>>> = {
  owner: "all",
  admin: "all",
  member: apiScopes.filter((scope) => reading.includes(scope) || working.includes(scope)),
  viewer: reading
}

export const scopesOf = (role: Role): "all" | ReadonlyArray<ApiScope> => scopes[role]

/**
 * True if users of the role `manager` may create, change and delete users of the role `managed`,
 * and give it. Owners manage everyone, admins all but owners.
 */
export const mayManage = (manager: Role, managed: Role): boolean =>
  manager === "owner" || (manager === "admin" && managed !== "owner")

/** True if a user of the role `from` lowers or keeps it. */
export const isAtMost = (role: Role, from: Role): boolean => Role.literals.indexOf(role) >= Role.literals.indexOf(from)

/** The role of the acting user does not allow the change. `needed` is the least role that does. */
export class RoleInsufficient extends Data.TaggedError("RoleInsufficient")<{ readonly needed: Role }> {}

/** The refusal to a user who may not manage another one: admins need to be owner, others admin. */
export const insufficientFor = (manager: Role): RoleInsufficient =>
  new RoleInsufficient({ needed: mayManage(manager, "viewer") ? "owner" : "admin" })
