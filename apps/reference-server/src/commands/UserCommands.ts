/** `solar-sites users`: administration of users of the console. */
import { Organisations } from "@solar-sites/core"
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { User } from "../accounts/User.ts"
import { Users } from "../accounts/Users.ts"
import { email, json, name, organisation, userId } from "./Input.ts"
import { describe, print, table, userDocument } from "./Output.ts"
import { readPassword } from "./PasswordInput.ts"
import { withServices } from "./Services.ts"

const printUser = (json: boolean, heading: string, user: User) => {
  const document = userDocument(user)
  return print(json, document, describe(heading, document))
}

const create = Command.make(
  "create",
  { organisation, email, name, json },
  Effect.fnUntraced(function* ({ email, json, name, organisation }) {
    const { create } = yield* Users
    const password = yield* readPassword
    yield* printUser(json, "User created.", yield* create({ organisationId: organisation, email, name, password }))
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
).pipe(Command.withDescription("Delete a user and end its sessions; keys that it created stay"))

const setPassword = Command.make(
  "set-password",
  { userId, json },
  Effect.fnUntraced(function* ({ json, userId }) {
    const { setPassword } = yield* Users
    const password = yield* readPassword
    yield* printUser(json, "Password changed.", yield* setPassword(userId, password))
  }, withServices)
).pipe(Command.withDescription("Change the password of a user, from standard input, and end its sessions"))

export const users = Command.make("users").pipe(
  Command.withDescription("Create, list and delete users, and change their passwords"),
  Command.withSubcommands([create, list, remove, setPassword])
)
