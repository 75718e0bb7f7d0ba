import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { authenticator } from "../accounts/second-factor/Authenticator.ts"
import { withoutPostgres } from "../ExternalDatabase.ts"
import { type MailServer, mailServer, temporaryCertificate } from "../mail/MailServer.ts"
import type { Browser } from "./Browser.ts"
import { type ConsoleProcess, consoleDatabases, consoleProcess } from "./ConsoleSetup.ts"

const { each, remove } = consoleDatabases()
const database = each.find(({ name }) => name === "a Postgres server")
const words = "another horse battery"
const addressOf = (name: string) => `${name}.${crypto.randomUUID()}@example.com`

let certificate: Awaited<ReturnType<typeof temporaryCertificate>>

beforeAll(async () => {
  certificate = await temporaryCertificate()
})

afterAll(async () => {
  await certificate[Symbol.asyncDispose]()
  await remove()
})

/** The token in a link of a page. */
const tokenIn = (page: string, text: string): string =>
  new RegExp(`/${page}#([\\w-]{43})(?![\\w-])`).exec(text)?.[1] ?? ""

/** An answer without what differs between two requests. */
const comparable = ({ headers, status, text }: Awaited<ReturnType<Browser["send"]>>) => ({
  status,
  text: text.replace(headers.get("x-request-id") ?? "none", ""),
  headers: [...headers].filter(([name]) => !["date", "x-request-id"].includes(name))
})

describe.skipIf(withoutPostgres)("links by mail", () => {
  let setup: ConsoleProcess
  let mails: MailServer
  let ada: Browser

  beforeAll(async () => {
    mails = await mailServer(certificate.options)
    // A process, which reads NODE_EXTRA_CA_CERTS at its start.
    setup = await consoleProcess((await database?.variables()) ?? {}, {
      SMTP_URL: `smtp://ada:p%40ss@localhost:${mails.port}`,
      MAIL_FROM: "Solar Sites <solar@example.com>",
      NODE_EXTRA_CA_CERTS: certificate.path
    })
    ada = await setup.loggedIn(setup.ada)
  })

  afterAll(async () => {
    await setup.close()
    await mails.close()
  })

  it("invite a person, who becomes a user", async () => {
    const email = addressOf("eve")
    const body = { email, name: "Eve <b>& Co</b>", role: "member" }
    const created = await ada.send("POST /console/invitations", { body })
    expect([created.status, created.json]).toMatchObject([201, { ...body, mailedAt: null, link: null }])
    const mail = await mails.mailTo(email)
    expect([mail.isEncrypted, mail.user, mail.from]).toEqual([true, "ada", "solar@example.com"])
    expect(mail.headers.get("subject")).toBe("Your invitation to Solar Sites")
    expect(mail.text).toContain("Hello Eve <b>& Co</b>,")
    expect(mail.html).toContain("Hello Eve &lt;b&gt;&amp; Co&lt;/b&gt;,")
    const token = tokenIn("invitation", mail.text)
    expect(mail.text).toContain(`${setup.address}/invitation#${token}`)
    expect(mail.html).toContain(`href="${setup.address}/invitation#${token}"`)
    await expect
      .poll(async () => Object((await ada.send("GET /console/invitations")).json["data"])[0]?.mailedAt)
      .toEqual(expect.any(String))

    const eve = setup.visitor()
    expect((await eve.send("POST /console/invitations/look", { body: { token } })).json).toEqual({
      organisation: "Test",
      inviter: "Ada",
      email,
      name: body.name,
      role: "member",
      expiresAt: expect.any(String)
    })
    const short = { token, name: "Eve", password: "too short" }
    const refused = await eve.send("POST /console/invitations/accept", { body: short })
    expect([refused.status, refused.json["errors"]]).toEqual([
      400,
      [expect.objectContaining({ pointer: "/password", detail: "must have at least 12 characters" })]
    ])
    const accepted = await eve.send("POST /console/invitations/accept", { body: { ...short, password: words } })
    expect([accepted.status, accepted.json]).toMatchObject([201, { user: { email, name: "Eve", role: "member" } }])
    expect((await eve.send("GET /console/session")).json).toEqual(accepted.json)
    expect((await eve.send("POST /console/invitations/look", { body: { token } })).outcome).toBe("link_invalid")
    expect((await eve.send("POST /console/invitations", { body: { email, role: "viewer" } })).outcome).toBe(
      "role_insufficient"
    )
    expect((await ada.send("POST /console/invitations", { body: { email, role: "viewer" } })).outcome).toBe(
      "email_taken"
    )
  })

  it("tell an address with an account elsewhere that it cannot join, but not the inviter", async () => {
    const [free, taken] = [addressOf("new"), setup.bob.email]
    const [one, other] = [
      await ada.send("POST /console/invitations", { body: { email: free, role: "viewer" } }),
      await ada.send("POST /console/invitations", { body: { email: taken, role: "viewer" } })
    ]
    expect(Object.keys(one.json)).toEqual(Object.keys(other.json))
    expect([one.status, other.status, other.json["link"]]).toEqual([201, 201, null])
    const text = await mails.textTo(taken, "has an account in another organisation")
    expect([tokenIn("invitation", (await mails.mailTo(free)).text), tokenIn("invitation", text)]).toEqual([
      expect.stringMatching(/./),
      ""
    ])
  })

  it("withdraw and renew invitations, and treat those of others as absent", async () => {
    const [email, headers] = [addressOf("eve"), { "accept-language": "de" }]
    const { json } = await ada.send("POST /console/invitations", { body: { email, role: "viewer" }, headers })
    const { text } = await mails.mailTo(email)
    const again = await ada.send(`POST /console/invitations/${json["id"]}/resend`)
    expect([again.status, again.json]).toMatchObject([200, { id: json["id"], email, link: null }])
    expect(text).toContain("lädt Sie zur Organisation")
    const resend = async () => (await ada.send(`POST /console/invitations/${json["id"]}/resend`)).outcome
    // Mails are sent at the same time. The last one holds the last token only if the others have arrived before it.
    for (const sent of [2, 3, 4]) {
      await mails.mailTo(email, sent)
      expect(await resend()).toBe(200)
    }
    const second = tokenIn("invitation", (await mails.mailTo(email, 5)).text)
    expect(await resend()).toBe("rate_limited")
    const see = async (token: string) => (await ada.send("POST /console/invitations/look", { body: { token } })).outcome
    expect([await see(tokenIn("invitation", text)), await see(second)]).toEqual(["link_invalid", 200])
    const bob = await setup.loggedIn(setup.bob)
    for (const id of [json["id"], crypto.randomUUID(), "17"]) {
      for (const line of [`DELETE /console/invitations/${id}`, `POST /console/invitations/${id}/resend`]) {
        expect([line, (await bob.send(line)).outcome]).toEqual([line, "invitation_not_found"])
      }
    }
    expect((await ada.send(`DELETE /console/invitations/${json["id"]}`)).status).toBe(204)
    expect(await see(second)).toBe("link_invalid")
  })

  it("set a new password, with the same answer for known and unknown addresses", async () => {
    const visitor = setup.visitor()
    const ask = (email: string) => visitor.send("POST /console/password-resets", { body: { email } })
    const { bob } = setup
    const [known, unknown] = [await ask(bob.email.toUpperCase()), await ask(addressOf("nobody"))]
    expect(comparable(known)).toEqual(comparable(unknown))
    expect([known.status, known.text]).toEqual([202, ""])
    const session = await setup.loggedIn(bob)
    const token = tokenIn("reset", await mails.textTo(bob.email, "/reset#"))
    const complete = (body: unknown) => visitor.send("POST /console/password-resets/complete", { body })
    expect((await complete({ token, password: "too short" })).outcome).toBe("validation_failed")
    const done = await complete({ token, password: words })
    expect([done.status, done.json]).toEqual([200, { email: bob.email }])
    expect((await session.send("GET /console/session")).outcome).toBe("session_missing")
    await visitor.logIn({ email: bob.email, password: words })
    const refusals = [token, "x", "A".repeat(43), ""].map(async (token) =>
      comparable(await complete({ token, password: words }))
    )
    const [used, ...others] = await Promise.all(refusals)
    expect(used?.status).toBe(410)
    for (const refusal of others) expect(refusal).toEqual(used)
    await expect.poll(() => mails.received.some(({ text }) => text.includes("was changed"))).toBe(true)
    const back = { currentPassword: words, password: bob.password }
    expect((await visitor.send("PUT /console/account/password", { body: back })).status).toBe(204)
  })

  it("come with news of changes of the second factor", async () => {
    const path = "/console/account/second-factor"
    const email = addressOf("eve")
    await ada.send("POST /console/invitations", { body: { email, role: "member" } })
    const token = tokenIn("invitation", (await mails.mailTo(email)).text)
    const eve = setup.visitor()
    const accepted = await eve.send("POST /console/invitations/accept", {
      body: { token, name: "Eve", password: words }
    })
    const begun = await eve.send(`POST ${path}`, { body: { password: words } })
    const code = authenticator(String(begun.json["secret"]))(Date.now())
    expect((await eve.send(`PUT ${path}`, { body: { code } })).status).toBe(200)
    expect((await mails.mailTo(email, 2)).text).toContain("was switched on")
    const { id } = Object(accepted.json["user"])
    expect((await ada.send(`DELETE /console/users/${id}/second-factor`)).status).toBe(204)
    expect((await mails.mailTo(email, 3)).text).toContain("has removed the second factor")
  })

  it("change the e-mail address, with the same answer for free and taken ones", async () => {
    const email = addressOf("ada")
    const change = (body: object) => ada.send("POST /console/account/email", { body })
    expect((await change({ email, password: "not the right words" })).outcome).toBe("password_wrong")
    const { password } = setup.ada
    const [free, taken] = [await change({ email, password }), await change({ email: setup.bob.email, password })]
    expect(comparable(free)).toEqual(comparable(taken))
    expect(free.status).toBe(202)
    const token = tokenIn("email", (await mails.mailTo(email)).text)
    const confirmed = await setup.visitor().send("POST /console/email-confirmations", { body: { token } })
    expect([confirmed.status, confirmed.json]).toEqual([200, { email }])
    await mails.textTo(setup.ada.email, "has a new e-mail address")
    expect((await ada.send("GET /console/account")).json).toMatchObject({ email, name: "Ada", role: "owner" })
    await setup.visitor().logIn({ email, password })
  })

  it("are used by pages of the console alone", async () => {
    const token = "A".repeat(43)
    for (const [path, body] of [
      ["invitations/look", { token }],
      ["invitations/accept", { token, name: "Eve", password: words }],
      ["password-resets", { email: "a@example.com" }],
      ["password-resets/complete", { token, password: words }],
      ["email-confirmations", { token }]
    ] as const) {
      for (const origin of ["", "https://evil.example.com"]) {
        const { outcome } = await setup.visitor().send(`POST /console/${path}`, { body, headers: { origin } })
        expect([path, outcome]).toEqual([path, "origin_not_allowed"])
      }
    }
  })

  it("are sent later if the mail server is down, with the same answer", async () => {
    const { close, port, received } = mails
    await close()
    const email = addressOf("late")
    const created = await ada.send("POST /console/invitations", { body: { email, role: "viewer" } })
    expect([created.status, created.json["mailedAt"]]).toEqual([201, null])
    await expect.poll(() => setup.logged()).toContain("mail delivery failed")
    mails = await mailServer(certificate.options, port)
    expect(tokenIn("invitation", (await mails.mailTo(email)).text)).not.toBe("")
    mails.received.push(...received)
  })

  it("are sent to one address alone", async () => {
    for (const email of [
      "a@example.com, b@example.com",
      "a@example.com\r\nBcc: b@example.com",
      "Ada <a@example.com>"
    ]) {
      const { outcome } = await ada.send("POST /console/invitations", { body: { email, role: "viewer" } })
      expect([email, outcome]).toEqual([email, "validation_failed"])
    }
  })

  it("are in no log, with no address", async () => {
    for (const email of [addressOf("eve"), addressOf("mia"), addressOf("zoe")]) {
      await ada.send("POST /console/invitations", { body: { email, role: "viewer" } })
      await mails.mailTo(email)
    }
    const secrets = mails.received.flatMap(({ text, to }) => [...to, ...(/#([\w-]{43})/.exec(text) ?? []).slice(1)])
    expect(secrets.length).toBeGreaterThan(5)
    for (const secret of secrets) expect(setup.logged()).not.toContain(secret)
  })
})
