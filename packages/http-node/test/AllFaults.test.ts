/** Every fault of a request is in its answer: of all members, of checks across members, of all resources. */
import { describe, expect, it } from "vitest"
import { document } from "./Documented.ts"
import { useServer } from "./Serving.ts"
import { aNewSite, type Send, unknownId, webBinding } from "./Setup.ts"

type Json = Readonly<Record<string, unknown>>

interface Described {
  readonly line: string
  readonly query: ReadonlyArray<string>
  readonly body: ReadonlyMap<string, Json>
  readonly isVersioned: boolean
}

/** The members of a body that callers can set, with the schema of each. */
const membersOf = (schema: Json): ReadonlyArray<readonly [string, Json]> => [
  ...Object.entries<Json>(Object(schema["properties"])).filter(([, member]) => member["readOnly"] !== true),
  ...["oneOf", "anyOf", "allOf"].flatMap((several) => {
    const schemas: unknown = schema[several]
    return Array.isArray(schemas) ? schemas.flatMap(membersOf) : []
  })
]

const operations: ReadonlyArray<Described> = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(Object(item)).map(([method, operation]) => {
    const parameters = Object(operation["parameters"] ?? [])
    const named = (place: string): ReadonlyArray<string> =>
      parameters.flatMap((one: Json) => (one["in"] === place ? [String(one["name"])] : []))
    const { schema = {} } = Object(Object(Object(operation["requestBody"])["content"])["application/json"])
    return {
      line: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, unknownId)}`,
      query: named("query"),
      body: new Map(membersOf(schema)),
      isVersioned: named("header").includes("if-match")
    }
  })
)

/** A value of another type than the schema allows. */
const wrong = (schema: Json): unknown => (/"(number|integer)"/.test(JSON.stringify(schema)) ? true : 7)

const text = (length: number) => "x".repeat(length)
const named = { siteName: "A", capacity: 1, unit: "kW" }
const upload = { siteId: "x", fileType: "documents" }
const file = { filename: "a.txt", mimeType: "text/plain" }
const backwards = { validFrom: "2026-02-01", validUntil: "2026-01-31" }
const requirement = { documentType: "ppa" }

/** Requests with faults of members and of checks across members. */
const requests: ReadonlyArray<readonly [line: string, body: unknown, faults: ReadonlyArray<string>]> = [
  [
    "POST /api/sites",
    {
      ...{ ...named, capacity: 0, tags: ["a", "", "a"] },
      attributes: { é: 1, "e\u0301": 2, "": 3, a: text(1_001) }
    },
    [
      ...["/attributes/ too_short", "/attributes/a too_long", "/attributes/e\u0301 duplicate"],
      ...["/attributes/é duplicate", "/capacity out_of_range", "/tags/1 too_short", "/tags/2 duplicate"]
    ]
  ],
  [
    `PUT /api/sites/${unknownId}`,
    { unit: "hp", tags: ["a", "a", 1], attributes: { é: [], "e\u0301": 2 } },
    [
      ...["/attributes/e\u0301 duplicate", "/attributes/é duplicate", "/attributes/é invalid_type"],
      ...["/tags/1 duplicate", "/tags/2 invalid_type", "/unit invalid_value"]
    ]
  ],
  [
    "POST /api/sites/bulk",
    { sites: [{ ...named, capacity: -1 }, { latitude: 91 }, 7], mode: "merge", dryRun: 1, colour: 1 },
    [
      ...["/colour unknown_member", "/dryRun invalid_type", "/mode invalid_value"],
      ...["/sites/0/capacity out_of_range", "/sites/1/latitude out_of_range", "/sites/2 invalid_type"]
    ]
  ],
  [
    "POST /api/sites/bulk",
    {
      sites: [
        { ...named, externalId: "A" },
        { ...named, capacity: 0 },
        { ...named, externalId: "A" }
      ],
      dryRun: "no"
    },
    ["/dryRun invalid_type", "/sites/1/capacity out_of_range", "/sites/2/externalId duplicate"]
  ],
  [
    "POST /api/sites/bulk",
    { sites: [{ externalId: "A", unit: 1 }, {}, { externalId: "A" }], mode: "upsert", colour: 1 },
    [
      ...["/colour unknown_member", "/sites/0/unit invalid_value"],
      ...["/sites/1/externalId required", "/sites/2/externalId duplicate"]
    ]
  ],
  ["POST /api/sites/bulk", { sites: [], mode: "merge" }, ["/mode invalid_value", "/sites too_few"]],
  [
    "POST /api/portfolios",
    { portfolios: [{ name: "A", externalId: "x" }, { name: "", externalId: "x" }, {}] },
    ["/portfolios/1/externalId duplicate", "/portfolios/1/name too_short", "/portfolios/2/name required"]
  ],
  [
    "POST /api/portfolios",
    [{ name: "A", externalId: "x" }, { externalId: "x" }],
    ["/1/externalId duplicate", "/1/name required"]
  ],
  [
    `PUT /api/docs/${unknownId}`,
    { ...backwards, filename: "a/b", note: text(2_001), documentType: "x" },
    ["/documentType invalid_value", "/filename invalid_filename", "/note too_long", "/validUntil out_of_range"]
  ],
  [
    "POST /api/docs/bulk-upload-url",
    {
      ...upload,
      files: [
        { ...file, ...backwards, note: 1 },
        { ...file, mimeType: 1 }
      ]
    },
    [
      ...["/files/0/note invalid_type", "/files/0/validUntil out_of_range"],
      ...["/files/1/mimeType invalid_type", "/siteId invalid_uuid"]
    ]
  ],
  [
    "PUT /api/document-requirements",
    { requirements: [requirement, { documentType: "x" }, { ...requirement, expiringWithinDays: 0 }, requirement] },
    [
      ...["/requirements/1/documentType invalid_value", "/requirements/2 duplicate"],
      ...["/requirements/2/expiringWithinDays out_of_range", "/requirements/3 duplicate"]
    ]
  ]
]

describe("all faults of a request", () => {
  const { send } = useServer(webBinding)

  const faultsOf = async (...call: Parameters<Send>) => {
    const { json, status } = await send(...call)
    const places: ReadonlyArray<string> = json.errors.map(({ code, pointer }: Json) => `${pointer} ${code}`)
    return { status, code: json.code, places: places.toSorted() }
  }

  const taking = operations.filter(({ body, query }) => body.size + query.length > 0)
  // Ignored unless the type of the files is that of O&M documents.
  const isIgnored = (name: string) => name === "omRecordId"

  it.each(taking)("names each wrong member and parameter of $line", async ({ body, isVersioned, line, query }) => {
    const members = [...body].flatMap(([name, schema]) => (isIgnored(name) ? [] : [[name, wrong(schema)] as const]))
    const sent = query.map((name) => `${name}=%00`).join("&")
    const { code, places, status } = await faultsOf(`${line}?unknown=1&${sent}`, {
      ...(members.length === 0 ? {} : { body: { ...Object.fromEntries(members), colour: 1 } }),
      headers: isVersioned ? { "if-match": "1" } : {}
    })
    expect([status, code]).toEqual([400, "validation_failed"])
    const expected = [
      ...members.map(([name]) => `/${name}`),
      ...query.map((name) => `/${name}`),
      ...["/unknown", ...(members.length === 0 ? [] : ["/colour"]), ...(isVersioned ? ["/if-match"] : [])]
    ]
    const found = places.map((place) => /^\/[^/ ]*/.exec(place)?.[0] ?? "")
    expect(found).toEqual(expect.arrayContaining(expected))
  })

  it.each(requests)("are reported beside checks across members: %s", async (line, body, faults) => {
    expect(await faultsOf(line, { body })).toEqual({ status: 400, code: "validation_failed", places: faults })
  })

  it("are the filename alone, which has a code of its own", async () => {
    const refusal = await faultsOf(`PUT /api/docs/${unknownId}`, { body: { filename: ".." } })
    expect(refusal).toEqual({ status: 400, code: "invalid_filename", places: ["/filename invalid_filename"] })
  })

  it("include every resource that is missing", async () => {
    const absent = [1, 2, 3].map((digit) => `${unknownId.slice(0, -1)}${digit}`)
    const portfolioId = (await send("POST /api/portfolios", { body: [{ name: "North" }] })).json.data[0].id
    const missing: ReadonlyArray<readonly [line: string, body: unknown, faults: ReadonlyArray<string>]> = [
      [
        "PUT /api/document-requirements",
        { requirements: [null, portfolioId, ...absent].map((id) => ({ ...requirement, portfolioId: id })) },
        [2, 3, 4].map((index) => `/requirements/${index}/portfolioId portfolio_not_found`)
      ],
      [
        "POST /api/sites/bulk",
        { sites: [null, portfolioId, ...absent].map((id) => ({ ...aNewSite, portfolioId: id })) },
        [2, 3, 4].map((index) => `/sites/${index}/portfolioId portfolio_not_found`)
      ],
      [
        `POST /api/portfolios/${portfolioId}/sites`,
        { siteIds: absent },
        [0, 1, 2].map((index) => `/siteIds/${index} site_not_found`)
      ],
      [
        `DELETE /api/portfolios/${portfolioId}/sites`,
        { siteIds: absent },
        [0, 1, 2].map((index) => `/siteIds/${index} site_not_in_portfolio`)
      ]
    ]
    for (const [line, body, faults] of missing) expect((await faultsOf(line, { body })).places).toEqual(faults)
  })
})
