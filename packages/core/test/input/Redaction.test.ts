import {
  ApiKeyId,
  ApiKeyInvalid,
  ApiKeyNotFound,
  DocumentId,
  InvalidTransition,
  OmRecordId,
  OmRecordNotFound,
  RepositoryError,
  SiteId,
  SiteNotFound,
  StorageError,
  UploadMismatch,
  ValidationFailed
} from "@solar-sites/core"
import { describe, expect, it } from "vitest"

const anId = "01890000-0000-7000-8000-000000000000"

// Made here, so that no scanner takes them for real ones.
const aKey = `sk_${"live"}_${"Ab3".repeat(12)}`
const aDigest = "0f".repeat(32)

const failureOf = (cause: unknown) => new RepositoryError({ operation: "SiteRepository.list", retryable: true, cause })

describe("the message of a refusal", () => {
  it("names the requested ids", () => {
    expect(new SiteNotFound({ siteIds: [SiteId.make(anId)] }).message).toBe(
      `No such site in this organisation: ${anId}`
    )
    expect(new OmRecordNotFound({ omRecordId: OmRecordId.make("OM-7") }).message).toContain("OM-7")
    expect(new InvalidTransition({ from: "pending", to: "approved", allowed: ["uploaded"] }).message).toBe(
      "A document cannot change from pending to approved; allowed: uploaded"
    )
    expect(
      new UploadMismatch({ documentId: DocumentId.make(anId), reason: "3 bytes were declared, 4 bytes arrived" })
        .message
    ).toContain(`${anId} does not match its declaration: 3 bytes were declared, 4 bytes arrived`)
    expect(new ApiKeyInvalid().message).not.toBe("")
  })

  it("counts what would be too much to name", () => {
    const siteIds = Array.from({ length: 1_000 }, () => SiteId.make(anId))
    expect(new SiteNotFound({ siteIds }).message).toMatch(/; [^;]* and 995 more$/)
  })

  it("names the faults of an input with their pointers", () => {
    const fault = (pointer: string) => ({ pointer, code: "required", detail: "is required" })
    const failed = new ValidationFailed({ faults: [fault("/siteName"), fault("")] })
    expect(failed.message).toBe("The input is not valid: /siteName is required; the whole is required")
    const many = new ValidationFailed({ faults: [fault("/a"), ...Array.from({ length: 999 }, () => fault("/b"))] })
    expect(many.message).toMatch(/^The input is not valid: \/a is required;.* and 995 more$/)
  })

  it("repeats nothing that could be a key or an e-mail address", () => {
    const found = new ApiKeyNotFound({ apiKeyId: ApiKeyId.make(aKey) })
    expect(found.message).toBe("No such API key in this organisation: (not a UUID)")
    const faults = [`/${aKey}`, "/somebody@example.com"].map((pointer) => ({
      pointer,
      code: "x",
      detail: "is unknown"
    }))
    const [first, ...rest] = faults
    const { message } = new ValidationFailed({ faults: [first ?? expect.unreachable(), ...rest] })
    expect(message).toBe("The input is not valid: /(key) is unknown; (e-mail) is unknown")
  })

  it("is in the first line of its stack, and no member of its own", () => {
    const refusal = new SiteNotFound({ siteIds: [SiteId.make(anId)] })
    expect(String(refusal)).toContain(anId)
    expect(refusal.stack).toContain(`No such site in this organisation: ${anId}`)
    expect(Object.keys(refusal)).not.toContain("message")
    expect(JSON.parse(JSON.stringify(refusal))).not.toHaveProperty("message")
    expect(refusal).toEqual(new SiteNotFound({ siteIds: [SiteId.make(anId)] }))
  })
})

describe("the message of a failure", () => {
  it("names the operation and what the driver said", () => {
    expect(failureOf(new Error("connection lost")).message).toBe("SiteRepository.list failed: connection lost")
    expect(failureOf("gone").message).toBe("SiteRepository.list failed: gone")
    expect(failureOf({ odd: true }).message).toBe("SiteRepository.list failed")
    const refused = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })
    expect(failureOf(refused).message).toBe("SiteRepository.list failed: ECONNREFUSED")
    const full = new StorageError({ operation: "DocumentStorage.inspect", reason: "full", cause: new Error("no room") })
    expect(full.message).toBe("DocumentStorage.inspect failed: no room")
  })

  it.each([
    ["a key", `bad key ${aKey}`, "bad key (key)"],
    ["a password in an address", "cannot reach postgres://solar:pa55@db:5432/x", "cannot reach postgres://db:5432/x"],
    ["a signed address", "PUT https://s3.test/a/b?X-Amz-Signature=0f0f&x=1 failed", "PUT https://s3.test/a/b failed"],
    ["a token", `bad token="${"t".repeat(8)}"`, "bad token=(hidden)"],
    ["a secret in JSON", `{"secret": "abc", "a": 1}`, `{"secret": (hidden), "a": 1}`],
    ["an e-mail address", "no mailbox somebody@example.com", "no mailbox (e-mail)"],
    ["a digest", `no row ${aDigest}`, "no row (hidden)"],
    ["more than a line", "one\n  two", "one two"]
  ])("never shows %s", (_, said, shown) => {
    expect(failureOf(new Error(said)).message).toBe(`SiteRepository.list failed: ${shown}`)
  })

  it("is of a bounded length", () => {
    expect(failureOf(new Error("word ".repeat(10_000))).message.length).toBeLessThan(400)
  })
})
