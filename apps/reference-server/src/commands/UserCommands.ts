/** `solar-sites users`: administration of users of the console. */
import { Organisations } from "@solar-sites/core"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { operatorOf } from "../accounts/people/Authority.ts"
import type { User } from "../accounts/people/User.ts"
import { listUsers, userAdministration } from "../accounts/people/Users.ts"
import { Failure } from "../Failure.ts"
import type { Refusal } from "../Refusals.ts"
import { email, json, name, newRole, organisation, portfolios, role, toggle, userId } from "./Input.ts"
import { printAll, printOne, userDocument } from "./Output.ts"
import { readPassword } from "./PasswordInput.ts"
import { resetLink } from "./ResetLinkCommand.ts"
import { withServices } from "./Services.ts"

/** Prints the user that a change returns. */
const changed =
  <Input extends { readonly json: boolean }>(
    heading: string,
    change: (users: Effect.Success<typeof userAdministration>, input: Input) => Effect.Effect<User, Refusal>
  ) =>
  (input: Input) =>
    Effect.flatMap(userAdministration, (users) => change(users, input)).pipe(
      Effect.flatMap((user) => printOne(input.json, heading, userDocument(user))),
      withServices
    )

const create = Command.make(
  "create",
  { organisation, email, name, role, portfolios, json },
  changed("User created.", (users, { email, name, organisation: organisationId, portfolios: portfolioIds, role }) =>
    Effect.flatMap(readPassword, (password) =>
      users.create({ organisationId, email, name, password, role, portfolioIds })
    )
  )
).pipe(Command.withDescription("Create a user, with a password from standard input"))

const list = Command.make(
  "list",
  { organisation, json },
  Effect.fnUntraced(function* ({ json, organisation }) {
    yield* Organisations.use((organisations) => organisations.get(organisation))
    const list = yield* listUsers
    const found = yield* list(operatorOf(organisation))
    yield* printAll(json, found.map(userDocument), "The organisation has no users yet.")
  }, withServices)
).pipe(Command.withDescription("List the users of an organisation, oldest first"))

const remove = Command.make(
  "delete",
  { userId, json },
  changed("User deleted.", (users, { userId }) => users.delete(userId))
).pipe(Command.withDescription("Delete a user; its sessions and the keys that it created end"))

const setRole = Command.make(
  "set-role",
  { userId, newRole, json },
  changed("Role changed.", (users, { newRole, userId }) => users.update(userId, { role: newRole }))
).pipe(Command.withDescription("Change the role of a user, which holds from its next request on"))

const all = toggle("all", "Take the limit away: the user reaches all portfolios again")

/** Nothing given is no wish to take a limit away. */
const setPortfolios = Command.make(
  "set-portfolios",
  { userId, portfolios, all, json },
  changed("Portfolios changed.", (users, { all, portfolios, userId }) =>
    all === (portfolios !== null)
      ? Effect.fail(new Failure({ message: "Give either --portfolio ID, once for each portfolio, or --all." }))
      : users.update(userId, { portfolioIds: portfolios })
  )
).pipe(Command.withDescription("Limit a user to portfolios from its next request on, or take its limit away"))

const setPassword = Command.make(
  "set-password",
  { userId, json },
  changed("Password changed.", (users, { userId }) =>
    Effect.flatMap(readPassword, (password) => users.setPassword(userId, password))
  )
).pipe(Command.withDescription("Change the password of a user, from standard input, and end its sessions"))

const resetSecondFactor = Command.make(
  "reset-second-factor",
  { userId, json },
  changed("Second factor removed.", (users, { userId }) => users.resetSecondFactor(userId))
).pipe(
  Command.withDescription("Remove the second factor of a user, such as after the loss of a phone, and end its sessions")
)

export const users = Command.make("users").pipe(
  Command.withDescription(
    "Create, list and delete users, and change their roles, portfolios, passwords and second factors"
  ),
  Command.withSubcommands([create, list, remove, setRole, setPortfolios, setPassword, resetLink, resetSecondFactor])
)
