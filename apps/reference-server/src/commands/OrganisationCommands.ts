/** `solar-sites organisations`: administration of organisations. */
import { type OrganisationStatus, Organisations } from "@solar-sites/core"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { loginDomains as settingLoginDomains } from "../accounts/identity/LoginDomains.ts"
import { exportCommand, importCommand } from "./ArchiveCommands.ts"
import { domains, json, name, organisationId } from "./Input.ts"
import { deleteCommand } from "./OrganisationDeletion.ts"
import { describe, organisationDocument, print, printAll, printOne } from "./Output.ts"
import { withServices } from "./Services.ts"

const create = Command.make(
  "create",
  { name, json },
  Effect.fnUntraced(function* ({ json, name }) {
    const created = organisationDocument(yield* Organisations.use((organisations) => organisations.create({ name })))
    yield* printOne(json, "Organisation created.", created)
  }, withServices)
).pipe(Command.withDescription("Create an active organisation"))

const list = Command.make(
  "list",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const { data } = yield* Organisations.use((organisations) => organisations.list())
    yield* printAll(json, data.map(organisationDocument), "There are no organisations yet.")
  }, withServices)
).pipe(Command.withDescription("List all organisations, oldest first"))

const changeStatus = (verb: string, status: OrganisationStatus, heading: string, description: string) =>
  Command.make(
    verb,
    { organisationId, json },
    Effect.fnUntraced(function* ({ json, organisationId }) {
      const changed = yield* Organisations.use((organisations) => organisations.update(organisationId, { status }))
      yield* printOne(json, heading, organisationDocument(changed))
    }, withServices)
  ).pipe(Command.withDescription(description))

const setLoginDomains = Command.make(
  "set-login-domains",
  { organisationId, domains, json },
  Effect.fnUntraced(function* ({ domains, json, organisationId }) {
    const set = yield* settingLoginDomains
    const loginDomains = yield* set(organisationId, domains)
    const { id, name } = yield* Organisations.use((organisations) => organisations.get(organisationId))
    const text = describe("Login domains set.", { id, name, loginDomains: loginDomains.join(", ") || "none" })
    yield* print(json, { id, name, loginDomains }, text)
  }, withServices)
).pipe(
  Command.withDescription("Set the e-mail domains of users who may log in by OpenID Connect; replaces the earlier ones")
)

export const organisations = Command.make("organisations").pipe(
  Command.withDescription("Create, list, activate, deactivate, export, import and delete organisations"),
  Command.withSubcommands([
    create,
    list,
    changeStatus("activate", "active", "Organisation activated.", "Accept the keys of an organisation again"),
    changeStatus("deactivate", "inactive", "Organisation deactivated.", "Refuse all keys of an organisation"),
    setLoginDomains,
    exportCommand,
    importCommand,
    deleteCommand
  ])
)
