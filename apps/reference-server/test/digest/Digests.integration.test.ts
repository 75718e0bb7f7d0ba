import PostalMime from "postal-mime"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Person } from "../accounts/AccountsSetup.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { type MailServer, mailServer } from "../mail/MailServer.ts"
import { type ServerInProcess, serve } from "../ServerInProcess.ts"
import type { Variables } from "../SolarSitesProcess.ts"
import { type DigestSetup, digestSetup } from "./DigestSetup.ts"

const schemas = ownSchemas()
const oneClick = "List-Unsubscribe=One-Click"
const asForm = { "content-type": "application/x-www-form-urlencoded" }

describe.skipIf(withoutPostgres)("a server with mail", () => {
  let database: Variables
  let setup: DigestSetup
  let mails: MailServer
  let owner: Person
  const servers: Array<ServerInProcess> = []

  beforeAll(async () => {
    database = schemas.next()
    setup = digestSetup(database)
    mails = await mailServer()
  })

  beforeEach(async () => {
    owner = await setup.ownerInNeed()
    // Every hour of today counts.
    const since = "update SCHEMA.console_user set digest = 'daily', digest_since = '2020-01-01' where id = $1::uuid"
    await setup.sql(`${since} returning 1`, owner.user.id)
  })

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop()
  })

  afterAll(async () => {
    await mails.close()
    await setup.close()
    await schemas.drop()
  })

  const start = async (variables: Variables = {}): Promise<ServerInProcess> => {
    const smtp = { SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: "Solar Sites <solar@example.com>" }
    const digest = { DIGEST_HOUR: "0", DIGEST_TIMEZONE: "UTC" }
    const server = await serve({ ...database, CONSOLE: "true", ...smtp, ...digest, ...variables })
    servers.push(server)
    return server
  }

  /** The link to end the digests, as the header of the received mail has it. */
  const linkIn = async () => {
    const { source } = await mails.mailTo(owner.user.email)
    const { headers } = await PostalMime.parse(source)
    const header = headers.find(({ key }) => key === "list-unsubscribe")?.value ?? ""
    return new URL(header.slice(1, -1))
  }

  const choice = async () =>
    (await setup.sql("select digest from SCHEMA.console_user where id = $1::uuid", owner.user.id))[0]?.[0]

  const post = (url: URL | string, body: string, headers: Record<string, string> = asForm) =>
    fetch(url, { method: "POST", headers, body })

  const codeOf = async (response: Response) => [response.status, Object(await response.json()).code]

  it("sends digests with links, and none again after a restart", async () => {
    const { address } = await start()
    const { source, to } = await mails.mailTo(owner.user.email)
    const { html, text } = await PostalMime.parse(source)
    expect(to).toEqual([owner.user.email])
    expect(text).toMatch(new RegExp(`- Missing: Insurance, Long Meadow\n {2}${address}/sites/[0-9a-f-]{36}/coverage\n`))
    expect(html).toMatch(new RegExp(`<a href="${address}/sites/[0-9a-f-]{36}/coverage">Insurance</a>`))
    await servers.pop()?.stop()
    const other = await setup.ownerInNeed()
    await setup.sql(
      "update SCHEMA.console_user set digest = 'daily', digest_since = '2020-01-01' where id = $1::uuid returning 1",
      other.user.id
    )
    await start()
    await mails.mailTo(other.user.email)
    expect(mails.received.filter(({ to }) => to.includes(owner.user.email))).toHaveLength(1)
  })

  it("ends them with one click, without a session and an origin", async () => {
    const { address } = await start()
    const link = await linkIn()
    expect(link.href.startsWith(`${address}/digest/unsubscribe?token=`)).toBe(true)
    const page = await fetch(link)
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect([page.headers.get("cache-control"), page.headers.get("referrer-policy")]).toEqual([
      "no-store",
      "no-referrer"
    ])
    const html = await page.text()
    expect(html).toContain('<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">')
    expect(html).not.toContain(link.searchParams.get("token"))
    const inGerman = await fetch(link, { headers: { "accept-language": "de-AT" } })
    expect(await inGerman.text()).toContain("<button>Diese E-Mails abbestellen</button>")
    expect(await choice()).toBe("daily")

    for (const attempt of [1, 2]) {
      expect([attempt, (await post(link, oneClick, { ...asForm, origin: "https://mail.example.com" })).status]).toEqual(
        [attempt, 200]
      )
      expect(await choice()).toBe("none")
    }
    const events = await setup.sql(
      `select e.user_id, e.request_id is not null, e.changes::text from SCHEMA.event e
       where e.subject_id = $1::uuid and e.type = 'user.updated'`,
      owner.user.id
    )
    expect(events).toEqual([[owner.user.id, expect.anything(), expect.stringContaining('"none"')]])
  })

  it("reads the form in both encodings, and refuses a request without the field", async () => {
    await start()
    const link = await linkIn()
    for (const [body, headers] of [
      ["", asForm],
      ["List-Unsubscribe=Yes", asForm],
      [oneClick, { "content-type": "text/plain" }],
      [JSON.stringify({ "List-Unsubscribe": "One-Click" }), { "content-type": "application/json" }]
    ] as const) {
      expect(await codeOf(await post(link, body, headers))).toEqual([400, "validation_failed"])
    }
    expect((await post(link, `${oneClick}&x=${"y".repeat(20_000)}`)).status).toBe(413)
    expect(await choice()).toBe("daily")
    const form = new FormData()
    form.set("List-Unsubscribe", "One-Click")
    expect((await fetch(link, { method: "POST", body: form })).status).toBe(200)
    expect(await choice()).toBe("none")
  })

  it("refuses other tokens, those of deleted users included", async () => {
    const { address } = await start()
    const link = await linkIn()
    const token = link.searchParams.get("token") ?? ""
    const bad = [
      "",
      "?token=",
      `?token=${token.slice(1)}`,
      `?token=${"A".repeat(86)}`,
      `?token=${token}&token=${token}`
    ]
    for (const query of bad) {
      const url = `${address}/digest/unsubscribe${query}`
      expect([query, ...(await codeOf(await fetch(url)))]).toEqual([query, 410, "link_invalid"])
      expect([query, ...(await codeOf(await post(url, oneClick)))]).toEqual([query, 410, "link_invalid"])
    }
    const page = await fetch(`${address}/digest/unsubscribe?token=x`, { headers: { accept: "text/html" } })
    expect([page.status, page.headers.get("content-type")]).toEqual([410, "text/html; charset=utf-8"])
    expect(await choice()).toBe("daily")
    await setup.sql("delete from SCHEMA.console_user where id = $1::uuid returning 1", owner.user.id)
    expect(await codeOf(await post(link, oneClick))).toEqual([410, "link_invalid"])
    expect(await codeOf(await fetch(link))).toEqual([410, "link_invalid"])
  })

  it("without the console sends none and has no such path", async () => {
    const { address } = await start({ CONSOLE: "false" })
    expect((await fetch(`${address}/digest/unsubscribe?token=x`)).status).toBe(404)
    const [rows] = await setup.sql(
      "select count(*)::text from SCHEMA.console_digest where user_id = $1::uuid",
      owner.user.id
    )
    expect(rows).toEqual(["0"])
  })
})
