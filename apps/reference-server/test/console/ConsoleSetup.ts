/**
 * Two organisations with a user and a key each, and their server, on an embedded
 * database and on a Postgres server.
 */
import { join } from "node:path"
import type { OrganisationId } from "@solar-sites/core"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { type Login, operator, quickHashes } from "../Operator.ts"
import { migratedAt } from "../Prepared.ts"
import * as InProcess from "../ServerInProcess.ts"
import { serve, stop, temporaryFolder, type Variables } from "../SolarSitesProcess.ts"
import { type Browser, browserOf } from "./Browser.ts"

interface Member extends Login {
  readonly organisationId: OrganisationId
  readonly key: string
}

export interface ConsoleSetup {
  readonly address: string
  readonly ada: Member
  readonly bob: Member
  /** A browser without a session. */
  readonly visitor: () => Browser
  readonly loggedIn: (login: Login) => Promise<Browser>
  readonly close: () => Promise<void>
}

export interface ConsoleProcess extends ConsoleSetup {
  /** All log lines so far. */
  readonly logged: () => string
}

const makeMember = async ({ createKey, createOrganisation, createUser }: ReturnType<typeof operator>, name: string) => {
  const organisationId = await createOrganisation()
  const { key } = await createKey(organisationId)
  return { ...(await createUser(organisationId, name)), organisationId, key }
}

const makeMembers = async (database: Variables) => {
  const people = operator(database, "apply", quickHashes)
  const ada = await makeMember(people, "Ada")
  const bob = await makeMember(people, "Bob")
  await people.close()
  return { ada, bob }
}

const browsersOf = (address: string): Pick<ConsoleSetup, "visitor" | "loggedIn"> => {
  const visitor = () => browserOf(address)
  return {
    visitor,
    loggedIn: async (login) => {
      const browser = visitor()
      await browser.logIn(login)
      return browser
    }
  }
}

/** A server in process. `variables` are those of the server; users are created before it starts. */
export const consoleSetup = async (database: Variables, variables: Variables = {}): Promise<ConsoleSetup> => {
  const members = await makeMembers(database)
  const { address, stop } = await InProcess.serve({ ...database, CONSOLE: "true", ...variables })
  return { address, ...members, ...browsersOf(address), close: stop }
}

/** The same in a process of its own, for tests of its logs. */
export const consoleProcess = async (database: Variables, variables: Variables): Promise<ConsoleProcess> => {
  const members = await makeMembers(database)
  const server = await serve({ ...database, CONSOLE: "true", ...variables })
  const { address, logged } = server
  return { address, logged, ...members, ...browsersOf(address), close: async () => void (await stop(server)) }
}

/** The databases of the tests. */
export const consoleDatabases = () => {
  const schemas = ownSchemas()
  let folder: Awaited<ReturnType<typeof temporaryFolder>> | undefined
  const embedded = async (): Promise<Variables> => {
    folder ??= await temporaryFolder()
    return migratedAt(join(folder.path, crypto.randomUUID()))
  }
  const external = async (): Promise<Variables> => {
    folder ??= await temporaryFolder()
    return { ...schemas.next(), DATA_DIR: folder.path }
  }
  return {
    each: [
      { name: "an embedded database", isMissing: false, variables: embedded },
      { name: "a Postgres server", isMissing: withoutPostgres, variables: external }
    ],
    remove: async () => {
      await schemas.drop()
      await folder?.[Symbol.asyncDispose]()
    }
  }
}
