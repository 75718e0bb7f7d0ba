import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { migratedAt } from "../../Prepared.ts"
import { temporaryFolder } from "../../SolarSitesProcess.ts"
import type { Browser } from "../Browser.ts"
import { type ConsoleInstance, consoleInstance } from "../ConsoleInstance.ts"

const file = "Anlage;Leistung [kWp];Notes;id\nMüller & Söhne;1.234,5;By the road;\nHof;12;;\n"
const mappings = [
  { column: "Anlage", target: "siteName" },
  { column: "Leistung [kWp]", target: "capacity" },
  { column: "Notes", target: "attributes.Notes" }
]
const options = (more: object = {}) =>
  encodeURIComponent(JSON.stringify({ ...{ fileName: "Sites.csv", upsert: false, mappings }, ...more }))
const text = { "content-type": "text/csv" }

/** Rows of a file of several steps; `IMPORT_ROWS=50000` for as many as the page promises. */
const { IMPORT_ROWS: given = "1100" } = process.env
const rows = Number(given)

describe("imports in the console", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let instance: ConsoleInstance
  let ada: Browser

  beforeAll(async () => {
    folder = await temporaryFolder()
    instance = await consoleInstance(await migratedAt(join(folder.path, "data")))
    const organisationId = await instance.newOrganisation()
    await instance.newUser(organisationId, "owner")
    ada = await instance.loggedIn(await instance.newUser(organisationId, "member"))
  })

  afterAll(async () => {
    await instance.close()
    await folder[Symbol.asyncDispose]()
  })

  const send = (line: string, body: string = file, browser = ada) => browser.send(line, { body, headers: text })
  const check = async (body = file, more = {}) =>
    (await send(`POST /console/imports/check?options=${options(more)}`, body)).json
  const ended = (browser = ada) =>
    vi.waitFor(
      async () => {
        const { data } = Object((await browser.send("GET /console/imports")).json)
        expect(data[0]).not.toMatchObject({ state: "running" })
        return data
      },
      { timeout: 60_000 + rows * 5, interval: 50 }
    )

  it("show the columns of a file with members, suggestions and samples", async () => {
    const { json } = await send("POST /console/imports/columns")
    expect(json).toMatchObject({
      columns: [
        { header: "Anlage", target: null, suggestion: "siteName", samples: ["Müller & Söhne", "Hof"] },
        { header: "Leistung [kWp]", target: null, unit: null, suggestion: "capacity" },
        { header: "Notes", target: null, suggestion: null, samples: ["By the road"] },
        { header: "id", target: "id", samples: [] }
      ],
      members: expect.arrayContaining(["siteName", "siteManager.name"]),
      faults: []
    })
    const unreadable = await ada.send("POST /console/imports/columns", { body: "\uFEFF\0", headers: text })
    expect(unreadable.json).toMatchObject({ columns: [], faults: [{ row: 1, code: "unsupported_encoding" }] })
    expect((await send("POST /console/imports/columns", "")).json).toMatchObject({ faults: [{ code: "empty_file" }] })
  })

  it("check first, then store once, with the events of the user", async () => {
    const owner = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    const sendAsOwner = async (line: string) => send(line, file, owner)
    const { importId, ...checked } = (await sendAsOwner(`POST /console/imports/check?options=${options()}`)).json
    expect(checked).toEqual({ created: 2, updated: 0, unchanged: 0, faults: [], faultCount: 0, report: null })
    expect((await owner.send("GET /console/api/sites")).json["data"]).toEqual([])

    const line = `PUT /console/imports/${importId}?options=${options()}`
    expect([(await sendAsOwner(line)).status, (await sendAsOwner(line)).status]).toEqual([202, 202])
    expect(await ended(owner)).toMatchObject([
      { id: importId, fileName: "Sites.csv", state: "completed", mappings, upsert: false, created: 2 }
    ])
    expect((await sendAsOwner(line)).json).toMatchObject({ state: "completed", created: 2, storedRow: 3 })
    expect(Object.keys((await sendAsOwner(line)).json)).not.toContain("seed")

    const { data: sites } = Object((await owner.send("GET /console/api/sites")).json)
    expect(sites).toMatchObject([
      { siteName: "Müller & Söhne", capacity: 1234.5, unit: "kWp", attributes: { Notes: "By the road" } },
      { siteName: "Hof" }
    ])
    const { data: events } = Object((await owner.send("GET /console/api/events?type=site.created")).json)
    const { user } = (await owner.send("GET /console/session")).json
    expect(events).toMatchObject([{ actor: { userId: Object(user).id } }, { actor: { userId: Object(user).id } }])
  })

  it("name each fault, with a report as CSV, and store nothing", async () => {
    const result = await check(`${file};x;=1+1;\n`)
    expect(result).toMatchObject({
      faultCount: 2,
      faults: [
        { row: 4, column: "Leistung [kWp]", code: "invalid_number" },
        { row: 4, column: "Anlage", code: "required" }
      ],
      report: expect.stringMatching(/^row,column,code,detail\r\n4,Leistung \[kWp\],invalid_number,/)
    })
    const unknown = await check("Name\nA\n", { mappings: [] })
    expect(unknown).toMatchObject({ faults: [{ code: "unknown_column", detail: expect.stringContaining("siteName") }] })
  })

  it("take a file back with its faults, as CSV", async () => {
    const line = `POST /console/imports/faults?options=${options()}`
    const { headers, status, text } = await send(line, `${file}x;many;;\n`)
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
    expect(text.replace("\ufeff", "").split("\r\n")).toEqual([
      "importFaults;Anlage;Leistung [kWp];Notes;id",
      ';Müller & Söhne;"1.234,5";By the road;',
      ";Hof;12;;",
      "Leistung [kWp]: must be a number;x;many;;",
      ""
    ])
    expect((await send(line, `${file}${"y".repeat(40_000)}`)).json).toMatchObject({
      code: "validation_failed",
      errors: [{ pointer: "", code: "too_long" }]
    })
  })

  it("refuse what is malformed, too large or of another import", async () => {
    const { importId } = await check()
    const outcomes = [
      await send(`PUT /console/imports/no-uuid?options=${options()}`),
      await send(`PUT /console/imports/${importId}`),
      await send(
        `PUT /console/imports/${importId}?options=${options({ mappings: [{ column: "A", target: "colour" }] })}`
      ),
      await send(`PUT /console/imports/${importId}?options=${options({ fileName: "a\0.csv" })}`),
      await send(`POST /console/imports/check?options=${options({ mappings: [{ column: "\ud800", target: "-" }] })}`),
      await send(`PUT /console/imports/${importId}?options=${options()}`, "\0"),
      await send(`PUT /console/imports/${importId}?options=${options()}`, "x".repeat(16 * 1_048_576 + 1)),
      await ada.send(`PUT /console/imports/${importId}?options=${options()}`, {
        body: file,
        headers: { ...text, origin: "https://elsewhere.test" }
      })
    ]
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      "import_not_found",
      ...Array.from({ length: 5 }, () => "validation_failed"),
      "body_too_large",
      "origin_not_allowed"
    ])
    await send(`PUT /console/imports/${importId}?options=${options()}`)
    await ended()
    expect((await send(`PUT /console/imports/${importId}?options=${options()}`, `${file};1;;\n`)).outcome).toBe(
      "idempotency_key_reused"
    )
  })

  it(
    `store ${rows} rows, those with a portfolio in it, and the same file again changes nothing`,
    async () => {
      const owner = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
      const { json } = await owner.send("POST /console/api/portfolios", { body: [{ name: "North" }] })
      const portfolioId = Object(json["data"])[0].id
      const lines = Array.from(
        { length: rows },
        (_, n) => `Site ${n},${n + 1},kW,${n % 2 === 0 ? portfolioId : ""},${n}`
      )
      const content = ["Site name,Capacity,Unit,Portfolio,External id", ...lines].join("\n")
      const query = options({ upsert: true, mappings: [{ column: "Portfolio", target: "portfolioId" }] })
      const storedBy = async () => {
        const { importId, ...checked } = (await send(`POST /console/imports/check?options=${query}`, content, owner))
          .json
        expect((await send(`PUT /console/imports/${importId}?options=${query}`, content, owner)).status).toBe(202)
        const [{ created, state, storedRow, unchanged }] = await ended(owner)
        expect({ created, unchanged }).toEqual({ created: checked["created"], unchanged: checked["unchanged"] })
        return { created, state, storedRow, unchanged }
      }
      const all = { state: "completed", storedRow: rows + 1 }
      expect(await storedBy()).toEqual({ ...all, created: rows, unchanged: 0 })
      expect(await storedBy()).toEqual({ ...all, created: 0, unchanged: rows })
      const { json: found } = await owner.send(`GET /console/api/sites?portfolioId=${portfolioId}`)
      expect(found["data"]).toHaveLength(Math.ceil(rows / 2))
    },
    120_000 + rows * 10
  )

  it("hold two files of an organisation and eight in all", async () => {
    /** A request with a body that is read until `end`, unless it is refused. */
    const hold = async (browser: Browser) => {
      const reading = Promise.withResolvers<() => void>()
      const pull = (controller: ReadableStreamDefaultController) => reading.resolve(() => controller.close())
      const body = new ReadableStream({ pull }, { highWaterMark: 0 })
      const answer = browser.send("POST /console/imports/columns", { body, headers: text })
      const end = await Promise.race([reading.promise, answer.then(() => () => {})])
      return async () => {
        end()
        return (await answer).outcome
      }
    }
    const anOwner = async () => instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    // Before the requests, which wait for their bodies no longer than the server does.
    const [bob, eve, ...others] = [await anOwner(), await anOwner(), await anOwner(), await anOwner()]
    const held = [await hold(ada)]
    expect(await (await hold(bob))()).toBe(200)
    held.push(await hold(bob), await hold(bob))
    expect(await (await hold(bob))()).toBe("overloaded")
    held.push(await hold(ada))
    expect(await (await hold(eve))()).toBe(200)
    for (const other of others) held.push(await hold(other), await hold(other))
    expect(await (await hold(eve))()).toBe("overloaded")
    expect(await Promise.all(held.map((end) => end()))).toEqual(held.map(() => 200))
    expect(await (await hold(eve))()).toBe(200)
  })

  it("keep organisations apart, even with the same id", async () => {
    const { importId: id } = await check()
    expect((await send(`PUT /console/imports/${id}?options=${options()}`)).status).toBe(202)
    await ended()
    const bob = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
    expect((await bob.send("GET /console/imports")).json).toEqual({ data: [] })
    expect((await send(`PUT /console/imports/${id}?options=${options()}`, file, bob)).status).toBe(202)
    expect(await ended(bob)).toMatchObject([{ id, state: "completed", created: 2 }])
    expect(Object((await bob.send("GET /console/api/sites")).json).data).toHaveLength(2)
  })
})
