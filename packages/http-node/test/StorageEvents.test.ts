import { DocumentStorage, SignatureInvalid, StorageError, ValidationFailed } from "@solar-sites/core"
import { Effect, Layer, Redacted } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import type { AccessLine, HttpOptions, StorageEvents } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { aNewSite, bindings, caller, type Send, unknownId, uploadsOf, webBinding } from "./Setup.ts"

const token = "a-token+of/notifications="
const authorization = `Bearer ${token}`

/** Bodies are lists of paths. */
const read: StorageEvents["read"] = (body) =>
  Array.isArray(body)
    ? Effect.succeed(body.map(String))
    : Effect.fail(new ValidationFailed({ faults: [{ pointer: "", code: "invalid_type", detail: "must be an array" }] }))
const storageEvents: StorageEvents = { token: Redacted.make(token), read }

const to = "POST /storage-events"

const useNotifications = (bind: (typeof bindings)[keyof typeof bindings]) => {
  const { member, setup } = useMember()
  let siteId: string
  beforeAll(async () => {
    const send = caller(webBinding(setup().ports), member().key)
    siteId = (await send("POST /api/sites", { body: aNewSite })).json.id
  })

  const withOptions = async (
    options: HttpOptions,
    use: (send: Send, api: Send) => Promise<void>,
    ports = setup().ports
  ) => {
    const binding = await bind(ports, options)
    await use(caller(binding, null), caller(binding, member().key)).finally(binding.close)
  }

  /** A document, with the path of its file. */
  const issue = async (api: Send) => {
    const { json } = await api("POST /api/docs/bulk-upload-url", { body: uploadsOf(siteId, "note.txt") })
    const [{ documentId, uploadUrl }] = json.results
    const document = async () => (await api(`GET /api/docs/${documentId}`)).json
    return { documentId, uploadUrl, document, path: (await document()).path }
  }
  return { issue, setup, withOptions }
}

describe.each(Object.entries(bindings))("notifications of a storage through %s", (_, bind) => {
  const { issue, setup, withOptions } = useNotifications(bind)

  it("make documents uploaded without a word of the client", async () => {
    await withOptions({ storageEvents }, async (send, api) => {
      const [one, two] = [await issue(api), await issue(api)]
      for (const { uploadUrl } of [one, two]) await setup().put(uploadUrl, "bytes")
      expect((await one.document()).status).toBe("pending")
      const answer = await send(to, { headers: { authorization }, body: [one.path, two.path] })
      expect([answer.status, answer.text]).toEqual([204, ""])
      for (const { document } of [one, two]) {
        expect(await document()).toMatchObject({ status: "uploaded", sizeBytes: 5 })
      }
    })
  })

  it("change nothing when they are early, late, repeated, forged or of unknown objects", async () => {
    await withOptions({ storageEvents }, async (send, api) => {
      const early = await issue(api)
      const done = await issue(api)
      await setup().put(done.uploadUrl, "bytes")
      await send(to, { headers: { authorization }, body: [done.path] })
      const [before, pending] = [await done.document(), await early.document()]
      const other = `${unknownId}/${done.path.slice(37)}`
      const paths = [
        early.path,
        done.path,
        done.path,
        other,
        `${early.path}/`,
        "../../etc/passwd",
        "",
        "%00",
        "x".repeat(9_999)
      ]
      for (let again = 0; again < 2; again++) {
        expect((await send(to, { headers: { authorization }, body: paths })).status).toBe(204)
      }
      expect(await done.document()).toEqual(before)
      expect(await early.document()).toEqual(pending)
      await api(`DELETE /api/docs/${done.documentId}`)
      expect((await send(to, { headers: { authorization }, body: [done.path] })).status).toBe(204)
      expect((await done.document()).code).toBe("document_not_found")
    })
  })

  it.each([
    ["as bearer", to, { authorization }],
    ["in the query", `${to}?token=${encodeURIComponent(token)}`, {}],
    ["in the query, not encoded", `${to}?a=1&token=${token}`, {}],
    ["in the query, with a header for another server", `${to}?token=${token}`, { authorization: "Basic eDp5" }]
  ])("are accepted with the token %s", async (_, line, headers) => {
    await withOptions({ storageEvents }, async (send) => {
      expect((await send(line, { headers, body: [] })).status).toBe(204)
    })
  })

  it.each([
    ["no token", to, {}],
    ["an empty bearer", to, { authorization: "Bearer " }],
    ["an empty token", `${to}?token=`, {}],
    ["a wrong bearer", to, { authorization: `${authorization}x` }],
    ["another scheme", to, { authorization: `Basic ${token}` }],
    ["a wrong token", `${to}?token=${token}x`, {}],
    ["an API key", to, { "x-api-key": "an-api-key" }]
  ])("are refused with %s for any body", async (_, line, headers) => {
    await withOptions({ storageEvents }, async (send) => {
      for (const body of ["{", []]) {
        const answer = await send(line, { headers, body })
        expect([answer.status, answer.json.code]).toEqual([401, "token_invalid"])
        expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="storage-events"')
      }
    })
  })

  it("are refused when their sender has not signed them", async () => {
    const unsigned = { token, read: () => Effect.fail(new SignatureInvalid({ reason: "does not fit it" })) }
    await withOptions({ storageEvents: unsigned }, async (send) => {
      const { json, status } = await send(to, { headers: { authorization }, body: {} })
      expect([status, json.code, json.detail]).toEqual([
        401,
        "token_invalid",
        "The signature of the message does not fit it."
      ])
    })
  })

  it("do not exist without the option", async () => {
    await withOptions({}, async (send) => {
      const answer = await send(to, { headers: { authorization }, body: [] })
      expect([answer.status, answer.json.code]).toEqual([404, "route_not_found"])
    })
  })

  it("are taken by POST alone, below the prefix", async () => {
    await withOptions({ storageEvents, prefix: "/solar" }, async (send) => {
      const get = await send("GET /solar/storage-events", { headers: { authorization } })
      expect([get.status, get.headers.get("allow")]).toEqual([405, "POST, OPTIONS"])
      expect((await send("POST /solar/storage-events", { headers: { authorization }, body: [] })).status).toBe(204)
      expect((await send(to, { headers: { authorization }, body: [] })).status).toBe(404)
    })
  })

  it.each(["text/plain; charset=UTF-8", "application/x-www-form-urlencoded", "application/json"])(
    "may have the media type %s",
    async (mediaType) => {
      await withOptions({ storageEvents }, async (send) => {
        const headers = { authorization, "content-type": mediaType }
        expect((await send(to, { headers, body: "[]" })).status).toBe(204)
      })
    }
  )

  it.each([
    ["that is no JSON", "{", {}, 400, "malformed_json"],
    ["that is empty", "", {}, 400, "malformed_json"],
    ["that nests too deep", "[".repeat(33) + "]".repeat(33), {}, 400, "malformed_json"],
    ["that is no notification", "{}", {}, 400, "validation_failed"],
    ["that is too large", `["${"x".repeat(1_048_576)}"]`, {}, 413, "body_too_large"],
    ["that is compressed", "[]", { "content-encoding": "gzip" }, 415, "unsupported_media_type"]
  ])("with a body %s are refused", async (_, body, more, status, code) => {
    await withOptions({ storageEvents }, async (send) => {
      const answer = await send(to, { headers: { authorization, ...more }, body })
      expect([answer.status, answer.json.code]).toEqual([status, code])
    })
  })

  it("are answered with 503 while storage is down, so that the sender repeats them", async () => {
    const failure = new StorageError({ operation: "DocumentStorage.inspect", reason: "unavailable", cause: "down" })
    const broken = Layer.effect(
      DocumentStorage,
      Effect.map(DocumentStorage, (storage) => ({ ...storage, inspect: () => Effect.fail(failure) }))
    ).pipe(Layer.provideMerge(setup().ports))
    let path = ""
    await withOptions(
      { storageEvents },
      async (send, api) => {
        const issued = await issue(api)
        path = issued.path
        await setup().put(issued.uploadUrl, "bytes")
        const answer = await send(to, { headers: { authorization }, body: [path] })
        expect([answer.status, answer.json.code]).toEqual([503, "storage_unavailable"])
        expect(answer.headers.get("retry-after")).toBe("1")
        expect((await issued.document()).status).toBe("pending")
      },
      broken
    )
    await withOptions({ storageEvents }, async (send, api) => {
      expect((await send(to, { headers: { authorization }, body: [path] })).status).toBe(204)
      expect((await api(`GET /api/docs/${path.split("/")[2]}`)).json.status).toBe("uploaded")
    })
  })

  it("have access lines without a caller and without the token", async () => {
    const lines: Array<AccessLine> = []
    await withOptions({ storageEvents, onRequest: (line) => lines.push(line) }, async (send) => {
      await send(`${to}?token=${token}`, { body: [] })
    })
    expect(lines).toMatchObject([{ method: "POST", route: "/storage-events", status: 204, organisationId: null }])
    expect(JSON.stringify(lines)).not.toContain("token")
  })
})

describe("notifications of a storage", () => {
  const { withOptions } = useNotifications(bindings["the fetch handler"])

  it("count wrong tokens as failed authentications of the address", async () => {
    const options = { storageEvents, clientAddress: () => "192.0.2.7" }
    await withOptions(options, async (send, api) => {
      const statuses: Array<number> = []
      // The limit refills while time passes.
      while (statuses.at(-1) !== 429 && statuses.length < 3_000) statuses.push((await send(`${to}?token=wrong`)).status)
      expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(300)
      expect(new Set(statuses)).toEqual(new Set([401, 429]))
      // Five a second are allowed again, so that a slow machine may need another try.
      let status = 0
      for (let tries = 0; status !== 429 && tries < 50; tries += 1) {
        while ((await send(`${to}?token=wrong`)).status !== 429);
        status = (await api("GET /api/me")).status
      }
      expect(status).toBe(429)
    })
  })

  it("do not count requests without a token or of a web page, which are refused even with the right one", async () => {
    await withOptions({ storageEvents, clientAddress: () => "192.0.2.8" }, async (send, api) => {
      const headers = { origin: "https://evil.example.com" }
      for (let index = 0; index < 400; index++) {
        const answers = [await send(to), await send(`${to}?token=wrong`, { headers })]
        if (answers.some(({ status }) => status !== 401)) expect.unreachable(`refused with ${answers[0]?.status}`)
      }
      expect((await send(`${to}?token=${token}`, { headers, body: [] })).json.code).toBe("token_invalid")
      expect((await api("GET /api/me")).status).toBe(200)
    })
  })
})
