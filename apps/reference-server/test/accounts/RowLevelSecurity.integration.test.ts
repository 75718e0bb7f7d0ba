/** The server and its operator as a role that row-level security restricts. */
import { PgClient, type PgScope } from "@solar-sites/adapter-postgres"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { securedTables } from "../../src/accounts/AccountTables.ts"
import { deleteExpiredLinks } from "../../src/accounts/login/LinkStatements.ts"
import { deleteEndedSessions } from "../../src/accounts/sessions/SessionStatements.ts"
import { run as runCommand } from "../CommandInProcess.ts"
import { withoutPostgres } from "../ExternalDatabase.ts"
import { type RestrictedSetup, restrictedSetup } from "./RestrictedSetup.ts"
import { authenticator } from "./second-factor/Authenticator.ts"

const words = "another horse battery"
const day = 86_400_000
const newSite = { siteName: "Long Meadow", capacity: 48.6, unit: "kWp" }
const addressOf = (name: string) => `${name}.${crypto.randomUUID()}@example.com`

/** The token in a link of a mail. */
const tokenIn = (page: string, text: string): string => new RegExp(`/${page}#([\\w-]{43})`).exec(text)?.[1] ?? ""

describe.skipIf(withoutPostgres)("a server behind row-level security", () => {
  let setup: RestrictedSetup

  beforeAll(async () => {
    setup = await restrictedSetup()
  })

  afterAll(() => setup.close())

  it("logs users in by password and by a second factor", async () => {
    const { browser, email, password } = await setup.memberIn()
    const path = "/console/account/second-factor"
    const begun = await browser.send(`POST ${path}`, { body: { password } })
    const codeOf = authenticator(String(begun.json["secret"]))
    const enabled = await browser.send(`PUT ${path}`, { body: { code: codeOf(Date.now()) } })
    expect(enabled.status).toBe(200)
    const [recoveryCode] = enabled.json["recoveryCodes"] as ReadonlyArray<string>
    const logIn = async (code?: string | undefined) =>
      (await setup.visitor().send("POST /console/session", { body: { email, password, code: code ?? null } })).outcome
    expect(await logIn()).toBe("second_factor_required")
    expect(await logIn(recoveryCode)).toBe(200)
    expect(await logIn(recoveryCode)).toBe("second_factor_wrong")
    const owner = setup.visitor()
    await owner.logIn(setup.owner)
    const { data } = (await owner.send("GET /console/users")).json as { data: ReadonlyArray<Record<string, unknown>> }
    const found = data.find((user) => user["email"] === email)
    expect(found).toMatchObject({ secondFactor: true, lastLoginAt: expect.any(String) })
    expect((await owner.send("GET /console/organisation/overview")).json["users"]).toBe(data.length)
    const body = { name: "Roofs", query: "tag=roof" }
    expect((await owner.send("PUT /console/organisation/views", { body })).json["data"]).toEqual([body])
  })

  it("invites users, and refuses domains and logins of other organisations", async () => {
    const owner = setup.visitor()
    await owner.logIn(setup.owner)
    const email = addressOf("eve")
    const invite = (email: string) => owner.send("POST /console/invitations", { body: { email, role: "member" } })
    expect((await invite(email)).status).toBe(201)
    const token = tokenIn("invitation", (await setup.mails.mailTo(email)).text)
    const visitor = setup.visitor()
    const look = await visitor.send("POST /console/invitations/look", { body: { token } })
    expect(look.json).toMatchObject({ email, inviter: "Olga" })
    const body = { token, name: "Eve", password: words }
    expect((await visitor.send("POST /console/invitations/accept", { body })).status).toBe(201)
    expect(await setup.statusOf(visitor)).toBe(200)
    await setup.people.setLoginDomains(setup.other.organisationId, "foreign.example.com")
    expect((await invite("eve@foreign.example.com")).outcome).toBe("domain_taken")
    await expect(setup.people.setLoginDomains(setup.organisationId, "foreign.example.com")).rejects.toMatchObject({
      _tag: "DomainTaken",
      domains: ["foreign.example.com"]
    })
    const again = { organisationId: setup.other.organisationId, email, name: "Eve", role: "member" } as const
    await expect(setup.people.createUserLike(setup.owner, again)).rejects.toMatchObject({ _tag: "EmailTaken" })
  })

  it("sets passwords by links, ends sessions, and changes addresses", async () => {
    const { browser, email, password } = await setup.memberIn()
    expect((await setup.visitor().send("POST /console/password-resets", { body: { email } })).status).toBe(202)
    const token = tokenIn("reset", (await setup.mails.mailTo(email)).text)
    const complete = { body: { token, password: words } }
    expect((await setup.visitor().send("POST /console/password-resets/complete", complete)).status).toBe(200)
    expect((await setup.visitor().send("POST /console/password-resets/complete", complete)).outcome).toBe(
      "link_invalid"
    )
    expect(await setup.statusOf(browser)).toBe(401)
    expect((await browser.send("GET /console/session/end")).json["reason"]).toBe("password")
    const login = { body: { email, password } }
    expect((await browser.send("POST /console/session", login)).outcome).toBe("login_failed")
    await browser.logIn({ email, password: words })
    const to = addressOf("new")
    const change = { body: { email: to, password: words } }
    expect((await browser.send("POST /console/account/email", change)).status).toBe(202)
    const confirmation = { body: { token: tokenIn("email", (await setup.mails.mailTo(to)).text) } }
    expect((await browser.send("POST /console/email-confirmations", confirmation)).json).toEqual({ email: to })
    await browser.logIn({ email: to, password: words })
  })

  it("creates and finds users of a provider, and links them", async () => {
    const claims = setup.claimsOf("Grace")
    const [first, second] = [setup.visitor(), setup.visitor()]
    await setup.logIn({ claims }, first)
    await setup.logIn({ claims }, second)
    const { user } = (await first.send("GET /console/session")).json
    expect(user).toMatchObject({ email: claims.email })
    expect((await second.send("GET /console/session")).json["user"]).toEqual(user)
    const known = setup.claimsOf("Heidi")
    await setup.people.createUserLike(setup.owner, {
      organisationId: setup.organisationId,
      name: "Heidi",
      email: known.email,
      role: "member"
    })
    const linked = setup.visitor()
    await setup.logIn({ claims: known }, linked)
    expect((await linked.send("GET /console/session")).json["user"]).toMatchObject({ name: "Heidi", role: "member" })
  })

  it("limits keys to the role of their creator, and ends them with it", async () => {
    const { browser, id } = await setup.memberIn()
    const owner = setup.visitor()
    await owner.logIn(setup.owner)
    await owner.send(`PUT /console/users/${id}`, { body: { role: "admin" } })
    const made = await browser.send("POST /console/api-keys", { body: { name: "Key" } })
    expect(made.status).toBe(201)
    const send = (line: string) =>
      setup.visitor().send(line, { headers: { "x-api-key": String(made.json["key"]) }, body: newSite })
    expect((await send("POST /api/sites")).status).toBe(201)
    await owner.send(`PUT /console/users/${id}`, { body: { role: "viewer" } })
    expect((await send("POST /api/sites")).status).toBe(403)
    expect((await owner.send(`DELETE /console/users/${id}`)).status).toBe(204)
    expect((await send("POST /api/sites")).status).toBe(401)
    expect(await setup.statusOf(browser)).toBe(401)
    expect((await browser.send("GET /console/session/end")).json["reason"]).toBe("removed")
  })

  it("limits users and their keys to portfolios", async () => {
    const owner = setup.visitor()
    await owner.logIn(setup.owner)
    const portfolios = { body: { portfolios: [{ name: "North" }, { name: "South" }] } }
    const made = await owner.send("POST /console/api/portfolios", portfolios)
    const [north, south] = Object(made.json["data"]).map(({ id }: { readonly id: string }) => id)
    const outside = await owner.send("POST /console/api/sites", { body: { ...newSite, portfolioId: south } })
    const { browser, id } = await setup.memberIn()
    await owner.send(`PUT /console/users/${id}`, { body: { role: "admin" } })
    const key = await browser.send("POST /console/api-keys", { body: { name: "Key" } })
    const headers = { "x-api-key": String(key.json["key"]) }
    const read = async () => [
      (await browser.send(`GET /console/api/sites/${outside.json["id"]}`)).outcome,
      (await setup.visitor().send(`GET /api/sites/${outside.json["id"]}`, { headers })).outcome
    ]
    expect(await read()).toEqual([200, 200])
    await owner.send(`PUT /console/users/${id}`, { body: { portfolioIds: [north] } })
    expect(await read()).toEqual(["site_not_found", "site_not_found"])
    const invitation = { body: { email: addressOf("ivy"), role: "viewer" } }
    expect((await browser.send("POST /console/invitations", invitation)).json["portfolioIds"]).toEqual([north])
  })

  it("sends digests, and ends them by their link", async () => {
    const { headers } = await setup.mails.mailTo(setup.other.user.email)
    const link = /<([^>]+)>/.exec(headers.get("list-unsubscribe") ?? "")?.[1] ?? ""
    const { pathname, search } = new URL(link)
    const ended = await setup.visitor().send(`POST ${pathname}${search}`, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click"
    })
    expect(ended.status).toBe(200)
    const choice = await setup.run(
      { organisationId: setup.other.organisationId },
      "select digest from SCHEMA.console_user"
    )
    expect(choice).toBe("none")
  })

  it("ends sessions with their organisation, and purges what has ended", async () => {
    const organisationId = await setup.people.createOrganisation()
    await setup.people.createUser(organisationId, "Owner")
    const { browser, email } = await setup.memberIn(organisationId)
    await setup.people.resetPath(email)
    const own = { organisationId }
    const count = (table: string) => setup.run(own, `select count(*)::int from SCHEMA.${table}`)
    expect([await count("console_session"), await count("console_link")]).toEqual([1, 1])
    await setup.people.setStatus(organisationId, "inactive")
    expect(await setup.statusOf(browser)).toBe(401)
    expect([await count("console_session"), await count("console_ended_session")]).toEqual([0, 1])
    await setup.people.setStatus(organisationId, "active")
    expect(await setup.statusOf(browser)).toBe(401)
    await setup.memberIn(organisationId)
    expect(await count("console_session")).toBe(1)
    const purge = (now: number) =>
      setup.client.runPromise(
        PgClient.use((all) => Effect.andThen(deleteEndedSessions(all)(now), deleteExpiredLinks(all)(now)))
      )
    await purge(Date.now())
    expect([await count("console_session"), await count("console_link")]).toEqual([1, 1])
    await purge(Date.now() + 8 * day)
    expect([await count("console_session"), await count("console_link")]).toEqual([0, 0])
    await purge(Date.now() + 30 * day)
    expect(await count("console_ended_session")).toBe(0)
  })

  it("hides rows of other organisations from each statement of one, and writes none of them", async () => {
    // Every table has a row: of a live session, an ended one, an open link, a deleted user, and those of other tables.
    const { id: userId } = await setup.memberIn()
    await (await setup.memberIn()).browser.send("DELETE /console/session")
    await setup.people.resetPath(setup.owner.email)
    await setup.people.deleteUser((await setup.memberIn()).id)
    const id = `'${setup.organisationId}'::uuid`
    for (const rows of [
      `console_organisation (organisation_id, require_second_factor) values (${id}, false)`,
      `console_second_factor (organisation_id, user_id, secret) values (${id}, '${userId}', '')`,
      `console_identity values (${id}, '${userId}', 'https://provider.example.com', 'x', now())`,
      `console_import (organisation_id, digest, started_at) values (${id}, 'x', now())`,
      `console_digest (organisation_id, user_id, due_day, started_at, link_key) values (${id}, '${userId}', '2020-01-01', now(), '\\xaa')`,
      `console_site_import (organisation_id, id, user_id, file_name, options, fingerprint, seed, attempt, state,
         checked_row, stored_row, created, updated, unchanged, started_at, updated_at)
       values (${id}, gen_random_uuid(), '${userId}', 'x', '{}', 'x', gen_random_uuid(), 1, 'completed',
         0, 0, 0, 0, 0, now(), now())`
    ]) {
      await setup.database.run(`insert into SCHEMA.${rows} on conflict do nothing`)
    }
    const own = { organisationId: setup.other.organisationId }
    const notOwn = `where organisation_id <> '${setup.other.organisationId}'`
    const countOf = (name: string) => `select count(*)::int from SCHEMA.${name} ${notOwn}`
    for (const { name, readers = "own" } of securedTables) {
      const there = Number((await setup.database.run(countOf(name)))[0]?.[0])
      expect([name, there > 0]).toEqual([name, true])
      const seen = (scope: PgScope) => setup.run(scope, countOf(name))
      const isOpen = readers === "all"
      expect([name, await seen(own), await seen("none")]).toEqual([name, isOpen ? there : 0, isOpen ? there : 0])
      expect([name, await seen("acrossOrganisations")]).toEqual([name, readers === "own" ? 0 : there])
      for (const scope of [own, "acrossOrganisations", "none"] as const) {
        await setup.run(scope, `delete from SCHEMA.${name} ${notOwn}`)
        await setup.run(scope, `update SCHEMA.${name} set organisation_id = '${setup.other.organisationId}' ${notOwn}`)
      }
      expect([name, Number((await setup.database.run(countOf(name)))[0]?.[0])]).toEqual([name, there])
    }
  })

  it("has policies that the command prints, and does not apply", async () => {
    const applied = await runCommand(["migrate", "--row-level-security"], setup.database.variables)
    expect(applied).toMatchObject({ code: 1, stderr: expect.stringContaining("--print") })
  })

  it("restricts every table with rows of organisations", async () => {
    const text = `select coalesce(json_agg(c.relname), '[]')::text from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = to_regnamespace('SCHEMA') and c.relkind = 'r' and not c.relrowsecurity
        and a.attname = 'organisation_id'`
    expect((await setup.database.run(text))[0]?.[0]).toBe("[]")
  })
})
