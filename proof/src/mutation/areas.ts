/**
 * Areas of changes, and the tests that must notice each.
 */
import { existsSync } from "node:fs"
import { limitChecks, organisationArguments, scopeChecks } from "./checks.ts"
import { type Area, type Mutant, mutantsIn, type Suite, sources } from "./Mutant.ts"
import { organisationPredicates } from "./organisationPredicates.ts"
import { policies, portfolioPolicies, serverPolicies } from "./policies.ts"

/** Name of the conformance suite by the first word of a port or a file. */
const nouns = /(Site|Portfolio|Document|Requirement|Coverage|Event|ApiKey|Idempotency|Webhook|Organisation)/

const nounOf = ({ file, operation }: Mutant): string | undefined => {
  const noun = nouns.exec(operation ?? file.split("/").at(-1) ?? "")?.[0]
  return noun === "Coverage" ? "Requirement" : noun
}

const conformance = (noun: string, names: string): Suite => ({
  project: "adapter-postgres",
  files: ["Conformance.integration"],
  pattern: new RegExp(`${noun}\\w* conformance: postgres > ${names}`)
})

/**
 * Tests of the adapter beside those of ports: about a webhook with many deliveries, which take too long by calls of
 * ports, and about keys that an earlier version has stored.
 */
const further: Readonly<Record<string, Suite>> = {
  Webhook: { project: "adapter-postgres", files: ["PgWebhookClaims.integration"] },
  Idempotency: { project: "adapter-postgres", files: ["PgIdempotencyUpgrade.integration"] }
}

/** Cases about several organisations come first, the other ports last: most mutants end early. */
const conformanceOf = (mutant: Mutant): ReadonlyArray<Suite> => {
  const noun = nounOf(mutant) ?? ""
  return [
    conformance(noun, ".*organisation"),
    conformance(noun, ""),
    ...(further[noun] === undefined ? [] : [further[noun]]),
    ...(noun === "" ? [] : [conformance("", "")])
  ]
}

/** Migrations with the functions in use. */
const functions = ["packages/adapter-postgres/src/migrations/0014_documents_without_triggers.ts"]
const functionTests: ReadonlyArray<Suite> = [{ project: "adapter-postgres", files: ["PgBounds.integration"] }]

const rowLevelSecurity = (pattern: RegExp): Suite => ({
  project: "adapter-postgres",
  files: ["PgRowLevelSecurity.integration"],
  pattern
})

/** Folder inside `src/`, with a slash; empty for a file that is in none. */
const folderOf = ({ file }: Mutant) => /\/src\/([^/]+\/)/.exec(file)?.[1] ?? ""

/** Without the tests that run again on an embedded database: they take twice as long. */
const server = (...files: ReadonlyArray<string>): Suite => ({
  project: "reference-server",
  files: files.map((file) => `test/${file}.`),
  pattern: /^(?!.* on an embedded database)/
})

/** Migrations with the triggers in use. */
const serverFunctions = ["0008_sessions_end_first", "0010_ended_sessions"].map(
  (name) => `apps/reference-server/src/accounts/migrations/${name}.ts`
)

/** Test files about the statements of a source. A process that a test starts has no mutant. */
const serverTests: Readonly<Record<string, ReadonlyArray<string>>> = {
  AccountTables: ["accounts/invitations/ForeignInvitations", "accounts/invitations/Invitations"],
  DigestStore: ["digest/Digests", "digest/DigestWorker"],
  IdentityLookUps: ["accounts/identity/ProviderUsers"],
  LoginDomains: ["accounts/identity/LoginDomains"],
  OrganisationTotals: ["accounts/organisation/ForeignTotals"],
  SessionStatements: ["accounts/sessions/Sessions", "accounts/sessions/SessionEnds"],
  LinkStatements: ["accounts/login/UserLinks"],
  UserLookUps: ["accounts/sessions/Sessions", "console/Users"],
  ArchiveStatements: ["archive/ArchiveRows", "archive/Archives"],
  SiteImportStore: ["console/imports/SiteImportStore"],
  ImportEndpoints: ["console/imports/Imports"],
  ImportRuns: ["console/imports/ImportRuns"],
  UserEndpoints: ["console/Users", "console/SecondFactor"],
  "0008_sessions_end_first": ["accounts/sessions/SessionEnds"],
  "0010_ended_sessions": ["accounts/sessions/SessionEnds"]
}

const serverTestsOf = (mutant: Mutant): ReadonlyArray<Suite> => {
  const files = serverTests[/(\w+)\.ts$/.exec(mutant.file)?.[1] ?? ""]
  if (files === undefined) throw new Error(`${mutant.file}: no tests in areas.ts`)
  const foreign =
    folderOf(mutant) === "accounts/"
      ? [server("accounts/people/ForeignUsers", "accounts/invitations/ForeignInvitations")]
      : []
  return [...foreign, server(...files)]
}

const core = (...folders: ReadonlyArray<string>): ReadonlyArray<Suite> =>
  folders.map((folder) => ({ project: "core", files: [`test/${folder}`] }))

/** Tests of connections, bodies and load. They take long, and some depend on time. */
const transport = [
  "Chunking",
  "ClientBundle",
  "CompressedStreams",
  "Compression",
  "Floods",
  "LoadShedding",
  "RefusalPacing",
  "SharedDocuments",
  "Sockets",
  "UnreadAnswers"
]

const http = (...files: ReadonlyArray<string>): Suite => ({
  project: "http-node",
  files: files.map((file) => `test/${file}`),
  without: transport
})

/** Tests in `core` about a source: those of its folder, which some sources have only in `http-node`. */
const coreTestsOf = (mutant: Mutant): ReadonlyArray<Suite> => {
  const folder = folderOf(mutant)
  if (folder === "")
    return core(mutant.file.endsWith("OrganisationRemoval.ts") ? "organisations/" : "HostOrganisations")
  return existsSync(`packages/core/test/${folder}`) ? core(folder) : []
}

/** Tests about the noun of a mutant, and those about several organisations. */
const httpTestsOf = ({ file }: Mutant): Suite => {
  const noun = nouns.exec(file.split("/").at(-1) ?? "")?.[0] ?? ""
  const own = ["Coverage", "Document", "Event", "Webhook", "Idempotency"].includes(noun) ? [noun] : []
  return http("Isolation", ...own)
}

export const areas: ReadonlyArray<Area> = [
  {
    name: "statements",
    find: () => organisationPredicates([...sources("packages/adapter-postgres/src/**/*.ts"), ...functions]),
    suitesOf: (mutant) => (functions.includes(mutant.file) ? functionTests : conformanceOf(mutant))
  },
  {
    name: "server-statements",
    find: () => organisationPredicates([...sources("apps/reference-server/src/**/*.ts"), ...serverFunctions]),
    suitesOf: serverTestsOf
  },
  {
    name: "policies",
    find: () =>
      policies(
        "packages/adapter-postgres/src/security/PgRowLevelSecurity.ts",
        "packages/adapter-postgres/src/citus/Tables.ts"
      ),
    suitesOf: () => [rowLevelSecurity(/covers every table/), rowLevelSecurity(/^row-level security/)]
  },
  {
    name: "limit-policies",
    find: () => portfolioPolicies("packages/adapter-postgres/src/security/PortfolioPolicies.ts"),
    suitesOf: () => [{ project: "adapter-postgres", files: ["PgPortfolioSecurity.integration"] }]
  },
  {
    name: "server-policies",
    find: () =>
      serverPolicies(
        "packages/adapter-postgres/src/security/PgRowLevelSecurity.ts",
        "apps/reference-server/src/accounts/AccountTables.ts"
      ),
    suitesOf: () => [server("accounts/RowLevelSecurity")]
  },
  {
    name: "limits",
    find: () => mutantsIn(sources("packages/core/src/**/*.ts"), limitChecks),
    suitesOf: (mutant) => [...core("caller/Reach"), http("LimitedCallers"), ...coreTestsOf(mutant), ...core("")]
  },
  {
    name: "limit-conditions",
    find: () => mutantsIn(sources("packages/adapter-postgres/src/**/*.ts"), limitChecks),
    suitesOf: () => [
      conformance("", ".*(?:within portfolios|on a map) as core does"),
      { project: "adapter-postgres", files: ["PgReach.integration"] },
      conformance("", "")
    ]
  },
  {
    name: "arguments",
    find: () =>
      mutantsIn(sources("packages/core/src/**/*.ts", "packages/http-node/src/**/*.ts"), organisationArguments),
    suitesOf: (mutant) =>
      mutant.file.startsWith("packages/core/")
        ? [...coreTestsOf(mutant), httpTestsOf(mutant), ...core(""), http("")]
        : [httpTestsOf(mutant), http("")]
  },
  {
    name: "console-arguments",
    find: () => mutantsIn(sources("apps/reference-server/src/console/**/*.ts"), organisationArguments),
    suitesOf: serverTestsOf
  },
  {
    name: "scopes",
    find: () => mutantsIn(sources("packages/core/src/**/*.ts", "packages/http-node/src/**/*.ts"), scopeChecks),
    suitesOf: () => [...core("caller/Scopes"), http("Scopes"), ...core(""), http("")]
  }
]
