import type { RequestListener } from "node:http"
import { check, promises, type S3Finding } from "@solar-sites/adapter-s3"
import { describe, expect, it } from "vitest"
import { offline, patient, runWith } from "./Setup.ts"
import { aDeadPort, anAnswering, type Stub, xmlError } from "./Stubs.ts"

const emptyBucket = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>solar-documents</Name><KeyCount>0</KeyCount></ListBucketResult>`

/** A store with its own clock; the bucket is empty by default. */
const aStore = (
  options: { readonly aheadSeconds?: number; readonly list?: RequestListener; readonly head?: number } = {}
) =>
  anAnswering((request, response) => {
    response.setHeader("date", new Date(Date.now() + (options.aheadSeconds ?? 0) * 1_000).toUTCString())
    if (request.method === "HEAD") response.writeHead(options.head ?? 404).end()
    else if (options.list !== undefined) options.list(request, response)
    else response.writeHead(200, { "content-type": "application/xml" }).end(emptyBucket)
  })

const findings = async (opened: Promise<Stub>): Promise<ReadonlyArray<S3Finding>> => {
  await using store = await opened
  return await runWith(offline({ endpoint: store.endpoint, ...patient }))(check)
}

const refusing =
  (status: number, code: string): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/xml" }).end(xmlError(code))

describe("the check of a store", () => {
  it("resolves with the problems without Effect", async () => {
    await using valid = await aStore()
    await expect(promises.check(offline({ endpoint: valid.endpoint, ...patient }))).resolves.toEqual([])
    await using locked = await aStore({ list: refusing(403, "AccessDenied") })
    const findings = await promises.check(offline({ endpoint: locked.endpoint, ...patient }))
    expect(findings).toMatchObject([{ severity: "failure" }])
  })

  it("finds no problem in a valid store, or when the clocks differ by 3 s", async () => {
    await expect(findings(aStore())).resolves.toEqual([])
    await expect(findings(aStore({ aheadSeconds: 3 }))).resolves.toEqual([])
    await expect(findings(aStore({ aheadSeconds: -3 }))).resolves.toEqual([])
  })

  it.each([
    [
      12,
      "warning",
      /^This machine's clock is 1[12] s behind the store's, so that upload addresses lapse 1[12] s early/
    ],
    [-12, "warning", /^This machine's clock is 1[012] s ahead of the store's, so that addresses may be refused/],
    [90, "failure", /^This machine's clock is (89|90) s behind the store's/],
    [-90, "failure", /^This machine's clock is (88|89|90) s ahead of the store's/]
  ])("compares the clocks: %i s", async (aheadSeconds, severity, message) => {
    await expect(findings(aStore({ aheadSeconds }))).resolves.toEqual([
      { severity, message: expect.stringMatching(message) }
    ])
  })

  it.each([
    [404, "NoSuchBucket", 'The bucket "solar-documents" does not exist.'],
    [403, "InvalidAccessKeyId", "The store does not know the access key id; check the AWS credentials."],
    [403, "AccessDenied", 'The credentials may not list the bucket "solar-documents"; they need s3:ListBucket on it.'],
    [400, "ExpiredToken", "The session token of the AWS credentials has expired."],
    [
      400,
      "AuthorizationHeaderMalformed",
      "The store expects another region than the one that requests are signed for; check S3_REGION."
    ],
    [301, "PermanentRedirect", 'The bucket "solar-documents" lies in another region; check S3_REGION and S3_ENDPOINT.'],
    [404, "Whatever", "The endpoint answers, but not as S3 does (404 Whatever); check S3_ENDPOINT."],
    [500, "InternalError", 'The store answered 500 (InternalError) instead of listing the bucket "solar-documents".']
  ])("explains %i %s in one message", async (status, code, message) => {
    await expect(findings(aStore({ list: refusing(status, code) }))).resolves.toEqual([
      { severity: "failure", message }
    ])
  })

  it("reports that objects may not be read", async () => {
    await expect(findings(aStore({ head: 403 }))).resolves.toEqual([
      {
        severity: "failure",
        message: 'The credentials may list the bucket "solar-documents" but not read from it; they need s3:GetObject.'
      }
    ])
  })

  it("reports an endpoint that is not a store", async () => {
    const welcome: RequestListener = (_, response) =>
      void response.writeHead(200).end("<html><body>Welcome</body></html>")
    await expect(findings(aStore({ list: welcome }))).resolves.toEqual([
      {
        severity: "failure",
        message: "The store could not be reached: the endpoint is not an S3 store; check S3_ENDPOINT."
      }
    ])
  })

  it("reports a failed connection, and the clock if an error response has a date", async () => {
    const dead = await aDeadPort()
    for (const endpoint of [dead.endpoint, dead.endpoint.replace("127.0.0.1", "localhost")]) {
      const [finding] = await runWith(offline({ endpoint, ...patient }))(check)
      expect(finding?.message).toMatch(/^The store could not be reached: .*ECONNREFUSED/)
    }
    const both = await findings(aStore({ aheadSeconds: 90, list: refusing(403, "AccessDenied") }))
    expect(both.map(({ message }) => message.slice(0, 19))).toEqual(["The credentials may", "This machine's cloc"])
  })

  it("reports missing credentials", async () => {
    const missing = Object.assign(new Error("none"), { name: "CredentialsProviderError" })
    const store = offline({ credentials: () => Promise.reject(missing) })
    await expect(runWith(store)(check)).resolves.toEqual([
      {
        severity: "failure",
        message: "No AWS credentials were found, neither in the environment nor in any profile or role."
      }
    ])
  })
})
