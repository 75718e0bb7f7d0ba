import { join } from "node:path"
import { apiScopes, type Operation, type OrganisationId, operations as rows } from "@solar-sites/core"
import { SolarSitesApi } from "@solar-sites/http-node/contract"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Role, scopesOf } from "../../src/accounts/people/Role.ts"
import { migratedAt } from "../Prepared.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleInstance, consoleInstance } from "./ConsoleInstance.ts"

const unknownId = "0190a5c0-0000-7000-8000-000000000000"

/** Endpoints of the console with the roles that they admit; pages, login and configuration need none. */
const endpoints: Readonly<Record<string, ReadonlyArray<Role>>> = {
  "GET /console/session": Role.literals,
  "GET /console/api-keys": ["owner", "admin"],
  "POST /console/api-keys": ["owner", "admin"],
  "POST /console/api-keys/:id/rotate": ["owner", "admin"],
  "DELETE /console/api-keys/:id": ["owner", "admin"],
  "GET /console/users": Role.literals,
  "PUT /console/users/:id": ["owner", "admin"],
  "DELETE /console/users/:id": ["owner", "admin"],
  "DELETE /console/users/:id/second-factor": ["owner", "admin"],
  "DELETE /console/users/:id/sessions": ["owner", "admin"],
  "GET /console/invitations": Role.literals,
  "POST /console/invitations": ["owner", "admin"],
  "POST /console/invitations/:id/resend": ["owner", "admin"],
  "DELETE /console/invitations/:id": ["owner", "admin"],
  "GET /console/account": Role.literals,
  "PUT /console/account": Role.literals,
  "PUT /console/account/password": Role.literals,
  "POST /console/account/email": Role.literals,
  "GET /console/sessions": Role.literals,
  "DELETE /console/sessions": Role.literals,
  "DELETE /console/sessions/:id": Role.literals,
  "GET /console/organisation": Role.literals,
  "GET /console/organisation/overview": Role.literals,
  "GET /console/organisation/use": Role.literals,
  "GET /console/organisation/views": Role.literals,
  "PUT /console/organisation/views": ["owner", "admin", "member"],
  "PUT /console/organisation/name": ["owner"],
  "PUT /console/organisation": ["owner", "admin"],
  "GET /console/coverage": Role.literals,
  "GET /console/sites/clusters": Role.literals,
  "GET /console/sites": Role.literals,
  "GET /console/sites/csv": Role.literals,
  "POST /console/sites/tags": ["owner", "admin", "member"],
  "GET /console/imports": ["owner", "admin", "member"],
  "POST /console/imports/columns": ["owner", "admin", "member"],
  "POST /console/imports/check": ["owner", "admin", "member"],
  "POST /console/imports/faults": ["owner", "admin", "member"],
  "PUT /console/imports/:id": ["owner", "admin", "member"],
  "GET /console/account/second-factor": Role.literals,
  "POST /console/account/second-factor": Role.literals,
  "PUT /console/account/second-factor": Role.literals,
  "DELETE /console/account/second-factor": Role.literals,
  "POST /console/account/second-factor/recovery-codes": Role.literals,
  // Last: it ends the session.
  "DELETE /console/session": Role.literals
}

const withoutSession = [
  "POST /console/session",
  "GET /console/session/end",
  "GET /console/configuration",
  "POST /console/invitations/look",
  "POST /console/invitations/accept",
  "POST /console/password-resets",
  "POST /console/password-resets/complete",
  "POST /console/email-confirmations"
]

/** Every operation of the API behind a key, with a body for each set of scopes. */
const operations = Object.values(SolarSitesApi.groups).flatMap((group) =>
  Object.values(group.endpoints)
    .filter(({ middlewares }) => middlewares.size > 0)
    .flatMap(({ identifier, method, path }) => {
      const ofGroup: Readonly<Record<string, Operation>> = Reflect.get(rows, group.identifier) ?? {}
      const { scopes = [], scopesOf } = ofGroup[identifier] ?? {}
      const change = group.identifier === "sites" ? { portfolioId: null } : { status: "approved" }
      const bodies = scopesOf === undefined ? [{}] : [{}, change]
      return bodies.map((body) => ({
        line: `${method} /console${path}`,
        body: method === "GET" ? undefined : body,
        scopes: [...scopes, ...(scopesOf?.({ sites: [], ...body } as never) ?? [])]
      }))
    })
)

describe("roles in the console", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let instance: ConsoleInstance
  let organisationId: OrganisationId
  let outcomes: (browser: Browser, lines: ReadonlyArray<readonly [string, unknown]>) => Promise<Record<string, unknown>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    instance = await consoleInstance(await migratedAt(join(folder.path, "data")))
    organisationId = await instance.newOrganisation()
    await instance.newUser(organisationId, "owner")
    outcomes = async (browser, lines) => {
      const found: Record<string, unknown> = {}
      for (const [line, body] of lines) {
        const { outcome } = await browser.send(line.replaceAll(/:\w+/g, unknownId), body === undefined ? {} : { body })
        const isRefused = outcome === "scope_missing" || outcome === "role_insufficient" ? outcome : "allowed"
        found[`${line} ${JSON.stringify(body ?? null)}`] = isRefused
      }
      return found
    }
  })

  afterAll(async () => {
    await instance.close()
    await folder[Symbol.asyncDispose]()
  })

  it("are in this table for every endpoint", () => {
    const served = instance.endpoints
      .map(({ method, path }) => `${method} ${path}`)
      .filter((line) => line.includes(" /console/"))
    expect(served.toSorted()).toEqual([...Object.keys(endpoints), ...withoutSession].toSorted())
    expect(operations.length).toBeGreaterThan(35)
  })

  it.each(Role.literals)("let a user who is %s do exactly what the tables allow", async (role) => {
    const browser = await instance.loggedIn(await instance.newUser(organisationId, role))
    const scopes = scopesOf(role) === "all" ? apiScopes : scopesOf(role)
    const { json } = await browser.send("GET /console/session")
    expect([Object(json["user"]).role, json["scopes"]]).toEqual([role, scopes])

    const calls = operations.map(({ body, line }) => [line, body] as const)
    const expected = operations.map(({ body, line, scopes: needed }) => [
      `${line} ${JSON.stringify(body ?? null)}`,
      needed.every((scope) => scopes.includes(scope)) ? "allowed" : "scope_missing"
    ])
    expect(await outcomes(browser, calls)).toEqual(Object.fromEntries(expected))

    const lines = Object.keys(endpoints).map((line) => [line, /^(POST|PUT)/.test(line) ? {} : undefined] as const)
    const admitted = lines.map(([line, body]) => [
      `${line} ${JSON.stringify(body ?? null)}`,
      endpoints[line]?.includes(role) ? "allowed" : "role_insufficient"
    ])
    expect(await outcomes(browser, lines)).toEqual(Object.fromEntries(admitted))
  })
})
