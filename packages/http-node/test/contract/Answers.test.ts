import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { exampleEvent } from "../../src/contract/EventsApi.ts"
import { exampleDocument, exampleMe, examplePortfolio, exampleSite } from "../../src/contract/Examples.ts"
import { type Answer, document, undocumented } from "../Documented.ts"
import { type Binding, caller, type Member, makeSetup, type Send, type Setup, webBinding } from "../Setup.ts"

let setup: Setup
let binding: Binding
let member: Member
let send: Send
beforeAll(async () => {
  setup = await makeSetup()
  binding = webBinding(setup.ports)
  member = await setup.join(exampleMe.organisation.name)
  send = caller(binding, member.key)
})
afterAll(async () => {
  await binding.close()
  await setup.close()
})

interface Shown {
  readonly line: string
  readonly request: unknown
  readonly status: number
  readonly response: unknown
}

interface Media {
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>
}

interface DocumentedOperation {
  readonly operationId: string
  readonly requestBody?: Media
  readonly responses: Readonly<Record<string, Media>>
}

const exampleIn = ({ content }: Media = {}): unknown => content?.["application/json"]?.example

/** What the document shows of each operation. */
const shown = new Map<string, Shown>(
  Object.entries<Readonly<Record<string, DocumentedOperation>>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, { operationId, requestBody, responses }]) => {
      const [status = "", success] = Object.entries(responses).find(([status]) => Number(status) < 400) ?? []
      const response = exampleIn(success)
      return [
        operationId,
        { line: `${verb.toUpperCase()} ${path}`, request: exampleIn(requestBody), status: Number(status), response }
      ] as const
    })
  )
)

describe("the examples of the document", () => {
  // Values that differ each time.
  const varying = new Set([
    "createdAt",
    "updatedAt",
    "expiresAt",
    "lastUsedAt",
    "version",
    "prefix",
    "url",
    "token",
    "path",
    "asOf",
    "sequence",
    "occurredAt",
    "keyPrefix",
    "requestId",
    "secret",
    "eventId",
    "at",
    "nextAttemptAt"
  ])
  const masked = (json: string): unknown =>
    JSON.parse(json, (name, value) => (varying.has(name) && value !== null ? "another each time" : value))

  it("can be sent one after the other, and get the documented responses", async () => {
    // From the ids of the examples to those that there are.
    const ids = new Map<string, string>([[exampleMe.organisation.id, member.organisation.id]])
    const carriedOut = new Set<string>()
    let deliveryId = ""
    const real = (text: string) => [...ids].reduce((all, [example, id]) => all.replaceAll(example, id), text)
    const asShown = (text: string) => [...ids].reduce((all, [example, id]) => all.replaceAll(id, example), text)

    const carryOut = async (operationId: string, id?: string, query = "") => {
      const example = shown.get(operationId)
      if (example === undefined) throw new Error(`No operation ${operationId}`)
      const { line, request, response, status } = example
      carriedOut.add(operationId)
      const body = request === undefined ? undefined : real(JSON.stringify(request))
      const answer = await send(real(line.replace("{id}", id ?? "").replace("{deliveryId}", deliveryId) + query), {
        body
      })
      expect([operationId, answer.status]).toEqual([operationId, status])
      return {
        answer,
        /** Compares the answer with the example, once its ids are known. */
        compare: () => {
          if (response !== undefined) {
            expect([operationId, masked(asShown(answer.text))]).toEqual([operationId, masked(JSON.stringify(response))])
          }
        }
      }
    }
    /** Carries out what is left at these paths: verb by verb, the paths of a part before those of the whole. */
    const rest = async (path: string, id: string, ...verbs: ReadonlyArray<string>) => {
      const left = verbs.flatMap((verb) =>
        [...shown].filter(
          ([operationId, { line }]) => !carriedOut.has(operationId) && line.startsWith(`${verb} ${path}`)
        )
      )
      const parts = left.toSorted(([, a], [, b]) => (isDelete(a) && isDelete(b) ? b.line.length - a.line.length : 0))
      for (const [operationId] of parts) (await carryOut(operationId, id)).compare()
    }
    const isDelete = ({ line }: Shown): boolean => line.startsWith("DELETE ")

    const portfolios = await carryOut("createPortfolios")
    ids.set(examplePortfolio.id, portfolios.answer.json.data[0].id)
    portfolios.compare()
    const site = await carryOut("createSite")
    ids.set(exampleSite.id, site.answer.json.id)
    site.compare()
    const key = (await send("GET /api/me")).json.apiKey
    ids.set(exampleMe.apiKey.id, key.id).set(`"name":"${exampleMe.apiKey.name}"`, `"name":"${key.name}"`)
    const capacity = (capacity: number) => send(`PUT /api/sites/${site.answer.json.id}`, { body: { capacity } })
    await capacity(1)
    const { nextCursor } = (await send("GET /api/events?limit=1&type=site.updated")).json
    await capacity(exampleSite.capacity)
    const events = await carryOut("listEvents", "", `?cursor=${nextCursor}`)
    ids.set(exampleEvent.id, events.answer.json.data[0].id)
    events.compare()
    await rest("/api/sites", exampleSite.id, "PUT", "POST", "GET")
    await rest("/api/portfolios", examplePortfolio.id, "POST", "PUT", "GET")
    await rest("/api/document-requirements", "", "PUT", "GET")
    for (const path of ["/api/coverage", "/api/me", "/health/live", "/openapi.json", "/docs"])
      await rest(path, "", "GET")

    const uploads = await carryOut("issueUploadUrls")
    const [issued] = uploads.answer.json.results
    ids.set(exampleDocument.id, issued.documentId)
    uploads.compare()
    expect(await setup.put(issued.uploadUrl, "x".repeat(exampleDocument.sizeBytes))).toBe(200)
    await send(`PUT /api/docs/${issued.documentId}`, { body: { status: "uploaded" } })
    await rest("/api/docs", exampleDocument.id, "GET", "PUT", "POST", "DELETE")
    await rest("/api/portfolios", examplePortfolio.id, "DELETE")
    await rest("/api/sites", exampleSite.id, "DELETE")
    const { id: webhook, lastDelivery } = Object(shown.get("getWebhook")?.response)
    const created = await carryOut("createWebhook")
    ids.set(webhook, created.answer.json.id)
    created.compare()
    await rest("/api/webhooks/{id}/rotate", webhook, "POST")
    const test = await carryOut("testWebhook", webhook)
    deliveryId = test.answer.json.id
    ids.set(lastDelivery.id, deliveryId)
    test.compare()
    await rest("/api/webhooks", webhook, "GET", "PUT", "POST", "DELETE")
    // What these say depends on where the server runs.
    expect([...shown.keys()].filter((operationId) => !carriedOut.has(operationId))).toEqual([
      "getReadiness",
      "getMetrics"
    ])
  })
})

describe("the check of responses against the document", () => {
  const good = async (): Promise<Answer> => {
    const response = await binding.send(new Request(`${binding.base}/api/me`, { headers: { "x-api-key": member.key } }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const without = (headers: Headers, name: string) => new Headers([...headers].filter(([other]) => other !== name))

  it("finds no fault in a valid response", async () => {
    expect(undocumented("GET", "/api/me", await good())).toEqual([])
  })

  it.each<readonly [string, (answer: Answer) => Answer]>([
    ["a status", (answer) => ({ ...answer, status: 202 })],
    ["a missing header", (answer) => ({ ...answer, headers: without(answer.headers, "x-request-id") })],
    ["a media type", (answer) => ({ ...answer, headers: new Headers([...answer.headers, ["content-type", "a/b"]]) })],
    ["a member that is missing", (answer) => ({ ...answer, text: "{}" })],
    ["a member too many", ({ text, ...answer }) => ({ ...answer, text: text.replace("{", '{"more":1,') })],
    ["an id that is none", ({ text, ...answer }) => ({ ...answer, text: text.replaceAll(member.organisation.id, "1") })]
  ])("finds %s", async (_, spoil) => {
    expect(undocumented("GET", "/api/me", spoil(await good()))).not.toEqual([])
  })

  it("finds a refusal that the operation does not have", async () => {
    const { headers, status, text } = await send("GET /api/sites?limit=0")
    expect(undocumented("GET", "/api/sites", { status, headers, text })).toEqual([])
    for (const other of ["malformed_json", "made_up"]) {
      const spoiled = { status, headers, text: text.replaceAll("validation_failed", other) }
      expect(undocumented("GET", "/api/sites", spoiled)).toEqual([`code ${other}`])
    }
  })
})
