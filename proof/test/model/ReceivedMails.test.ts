import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import { digestMail } from "../../../apps/reference-server/src/digest/DigestLetter.ts"
import { smtpTransport } from "../../../apps/reference-server/src/mail/SmtpTransport.ts"
import { mailServer } from "../../../apps/reference-server/test/mail/MailServer.ts"
import { mailsOfRequests } from "../../src/model/targets/Console.ts"

it("leaves out digests, and no other mail to the same user", async () => {
  await using server = await mailServer().then((one) => ({ ...one, [Symbol.asyncDispose]: one.close }))
  const url = Redacted.make(`smtp://127.0.0.1:${server.port}`)
  const send = await Effect.runPromise(smtpTransport({ url, from: { name: "", address: "solar@example.com" } }))
  const digest = digestMail({
    base: "http://solar.test",
    digest: { email: "ada@example.com", name: "Ada", choice: "weekly" },
    language: "en",
    page: { items: [], rest: 1 },
    token: "token"
  })
  const { headers: _, ...withoutHeaders } = digest
  await Effect.runPromise(send(digest))
  await Effect.runPromise(send({ ...withoutHeaders, subject: "Another mail" }))
  expect(server.received).toHaveLength(2)
  const subjects = mailsOfRequests(server.received).map(({ subject, to }) => ({ subject, to }))
  expect(subjects).toEqual([{ subject: "Another mail", to: "ada@example.com" }])
})
