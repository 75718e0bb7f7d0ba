/** `solar-sites users`: administration of users of the console. */
import { Organisations } from "@solar-sites/core"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { User } from "../accounts/people/User.ts"
import { Users } from "../accounts/people/Users.ts"
import { Failure } from "../Failure.ts"
import { email, json, name, newRole, organisation, portfolios, role, userId } from "./Input.ts"
import { describe, print, table, userDocument } from "./Output.ts"
import { readPassword } from "./PasswordInput.ts"
import { resetLink } from "./ResetLinkCommand.ts"
import { withServices } from "./Services.ts"

const printUser = (json: boolean, heading: string, user: User) => {
  const document = userDocument(user)
  return print(json, document, describe(heading, document))
}

const create = Command.make(
  "create",
  { organisation, email, name, role, portfolios, json },
  Effect.fnUntraced(function* ({ email, json, name, organisation, portfolios, role }) {
    const { create } = yield* Users
    const password = yield* readPassword
    yield* printUser(
      json,
      "User created.",
      yield* create({ organisationId: organisation, email, name, password, role, portfolioIds: portfolios })
    )
  }, withServices)
).pipe(Command.withDescription("Create a user, with a password from standard input"))

const list = Command.make(
  "list",
  { organisation, json },
  Effect.fnUntraced(function* ({ json, organisation }) {
    yield* Organisations.use((organisations) => organisations.get(organisation))
    const documents = (yield* Users.use((users) => users.list(organisation))).map(userDocument)
    yield* print(json, { data: documents }, table(documents, "The organisation has no users yet."))
  }, withServices)
).pipe(Command.withDescription("List the users of an organisation, oldest first"))

const remove = Command.make(
  "delete",
  { userId, json },
  Effect.fnUntraced(function* ({ json, userId }) {
    yield* printUser(json, "User deleted.", yield* Users.use((users) => users.delete(userId)))
  }, withServices)
).pipe(Command.withDescription("Delete a user; its sessions and the keys that it created end"))

const setRole = Command.make(
  "set-role",
  { userId, newRole, json },
  Effect.fnUntraced(function* ({ json, newRole, userId }) {
    yield* printUser(json, "Role changed.", yield* Users.use((users) => users.update(userId, { role: newRole })))
  }, withServices)
).pipe(Command.withDescription("Change the role of a user, which holds from its next request on"))

const all = Flag.Boolean("all").pipe(
  Flag.withDescription("Take the limit away: the user reaches all portfolios again"),
  Flag.withDefault(false)
)

/** Nothing given is no wish to take a limit away. */
const setPortfolios = Command.make(
  "set-portfolios",
  { userId, portfolios, all, json },
  Effect.fnUntraced(function* ({ all, json, portfolios, userId }) {
    if (all === (portfolios !== null)) {
      return yield* new Failure({ message: "Give either --portfolio ID, once for each portfolio, or --all." })
    }
    yield* printUser(
      json,
      "Portfolios changed.",
      yield* Users.use((users) => users.update(userId, { portfolioIds: portfolios }))
    )
  }, withServices)
).pipe(Command.withDescription("Limit a user to portfolios from its next request on, or take its limit away"))

const setPassword = Command.make(
  "set-password",
  { userId, json },
  Effect.fnUntraced(function* ({ json, userId }) {
    const { setPassword } = yield* Users
    const password = yield* readPassword
    yield* printUser(json, "Password changed.", yield* setPassword(userId, password))
  }, withServices)
).pipe(Command.withDescription("Change the password of a user, from standard input, and end its sessions"))

const resetSecondFactor = Command.make(
  "reset-second-factor",
  { userId, json },
  Effect.fnUntraced(function* ({ json, userId }) {
    yield* printUser(json, "Second factor removed.", yield* Users.use((users) => users.resetSecondFactor(userId)))
  }, withServices)
).pipe(
  Command.withDescription("Remove the second factor of a user, such as after the loss of a phone, and end its sessions")
)

export const users = Command.make("users").pipe(
  Command.withDescription(
    "Create, list and delete users, and change their roles, portfolios, passwords and second factors"
  ),
  Command.withSubcommands([create, list, remove, setRole, setPortfolios, setPassword, resetLink, resetSecondFactor])
)
