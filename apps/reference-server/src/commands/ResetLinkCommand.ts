/** `solar-sites users reset-link`: a link for a new password, which the operator passes on. */
import type { UserId } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { userLinks } from "../accounts/login/UserLinks.ts"
import { operatorOf } from "../accounts/people/Authority.ts"
import { UserNotFound } from "../accounts/people/User.ts"
import { userLookUps } from "../accounts/people/UserLookUps.ts"
import { listUsers } from "../accounts/people/Users.ts"
import { fromEnvironment, type Settings, settings } from "../configuration/Settings.ts"
import { Failure } from "../Failure.ts"
import { linkPath } from "../mail/Letters.ts"
import { email, json, userId } from "./Input.ts"
import { printOne } from "./Output.ts"
import { withServices } from "./Services.ts"

/** Address of the console by the settings; a wildcard address is replaced by loopback. */
const addressOf = ({ host, port, publicUrl }: Settings): string => {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return Option.getOrElse(publicUrl, () => `http://${name.includes(":") ? `[${name}]` : name}:${port}`)
}

const byId = Effect.fnUntraced(function* (userId: UserId) {
  const { findOwner } = yield* userLookUps
  const owner = yield* findOwner({ userId })
  const users = owner === null ? [] : yield* Effect.flatMap(listUsers, (list) => list(operatorOf(owner)))
  return users.find((user) => user.id === userId) ?? (yield* new UserNotFound({ userId }))
})

const byEmail = Effect.fnUntraced(function* (address: string) {
  const { findByLogin } = yield* userLookUps
  const found = yield* findByLogin(address)
  return found?.user ?? (yield* new Failure({ message: `There is no user with the e-mail address ${address}.` }))
})

export const resetLink = Command.make(
  "reset-link",
  { userId: Argument.optional(userId), email: Flag.optional(email), json },
  Effect.fnUntraced(function* ({ email, json, userId }) {
    if (Option.isSome(userId) === Option.isSome(email)) {
      return yield* new Failure({ message: "Give the id of the user, or --email." })
    }
    const chosen = yield* fromEnvironment(settings)
    if (!chosen.login.passwords) {
      return yield* new Failure({
        message: "With PASSWORD_LOGIN=false the server accepts no new passwords: remove the setting first."
      })
    }
    const user = Option.isSome(userId) ? yield* byId(userId.value) : yield* byEmail(Option.getOrElse(email, () => ""))
    const { issue } = yield* userLinks
    const issued = yield* issue(user, "reset", user.email)
    if (issued === null) return yield* new Failure({ message: "The organisation of the user is not active." })
    const { expiresAt, token } = issued
    const link = `${addressOf(chosen)}${linkPath("reset", token)}`
    const document = {
      id: user.id,
      email: user.email,
      link,
      expiresAt: DateTime.formatIso(DateTime.makeUnsafe(expiresAt))
    }
    yield* printOne(json, "The link sets a new password, once.", document)
  }, withServices)
).pipe(Command.withDescription("Print a link that sets a new password, once within an hour; it replaces earlier ones"))
