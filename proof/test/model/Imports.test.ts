import { describe, expect, it } from "vitest"
import type { CallTemplate } from "../../src/model/CallTemplate.ts"
import type { Form } from "../../src/model/ImportedFile.ts"
import type { Step } from "../../src/model/Runner.ts"
import { answering, type Change, onDatabase } from "./Finding.ts"

const call = (name: CallTemplate["call"], more: Partial<CallTemplate> = {}): CallTemplate => ({
  ...{ call: name, who: { organisation: 1, key: 0, session: 0 }, ids: [] },
  ...more
})

const first = { "@text": "North" }
const header = ["Site name", "Capacity (kWp)", "External id"]
const fileOf = (rows: ReadonlyArray<ReadonlyArray<unknown>>, form: Form = "semicolon") => ({
  body: { form, header, rows }
})
const file = fileOf([
  [first, "1.234,5", "X-1"],
  [{ "@text": "South" }, 2.5, null]
])

const options = (upsert = false) =>
  ({
    query: [["options", { fileName: { "@text": "Sites.csv" }, upsert, mappings: [] }]]
  }) satisfies Partial<CallTemplate>
const check = call("checkImport", { ...file, ...options() })
const newest = [{ "@id": "imports" as const, of: "own" as const, n: 0 }]
const start = call("startImport", { ids: newest, ...file, ...options() })

const isOf = ({ method, url }: Request, line: string) => `${method} ${new URL(url).pathname}`.startsWith(line)

const withText = async (answer: Response, change: (text: string) => string): Promise<Response> =>
  new Response(change(await answer.text()), { status: answer.status, headers: answer.headers })

/** The request of another file. */
const sending = (request: Request, body: string, url = request.url) =>
  new Request(url, { method: request.method, headers: request.headers, body })

describe("the model of imports", () => {
  const database = onDatabase()
  const finding = (steps: ReadonlyArray<Step>, change: Change) => database.finding(steps, answering(change))

  it("agrees about files, faults, repetitions, and imports at the same time", async () => {
    const faulty = fileOf([
      [first, "twelve", "X-1"],
      [null, "12", "X-1"]
    ])
    const changed = fileOf([[first, 7, "X-1"]], "workbook")
    const elsewhere = { ...start, who: { ...start.who, organisation: 0 } }
    const upsert = [call("checkImport", { ...changed, ...options(true) }), { ...start, ...changed, ...options(true) }]
    const columns = call("readImportColumns", file)
    const repeated = [check, start, start, { ...start, ...faulty }, { ...check, ...faulty }, { ...start, ...faulty }]
    const concurrent = [{ concurrent: [start, start] }, { concurrent: [start, elsewhere] }]
    const answers = new Set<string>()
    const steps = [columns, ...repeated, ...upsert, check, ...concurrent, call("listImports")]
    const found = await finding(steps, async (request, forward) => {
      const answer = await forward(request)
      const [, path] = /\/console\/imports(\/check|\/columns|)/.exec(request.url) ?? []
      if (path !== undefined) answers.add(`${request.method} ${path} ${answer.status}`)
      return answer
    })
    expect(found).toBe("nothing")
    expect([...answers].sort()).toEqual(["GET  200", "POST /check 200", "POST /columns 200", "PUT  202", "PUT  409"])
  })

  it("knows that an import that is one too many has used its session", async () => {
    const elsewhere = { ...start, who: { ...start.who, organisation: 0 } }
    const steps: ReadonlyArray<Step> = [
      check,
      { does: "advance", by: 1_200_000 },
      { concurrent: [start, start, elsewhere] }
    ]
    let starts = 0
    const found = await finding(steps, async (request, forward) => {
      if (!isOf(request, "PUT /console/imports/") || ++starts < 3) return forward(request)
      await forward(new Request(new URL("/console/imports", request.url), { headers: request.headers }))
      return Response.json({ code: "overloaded" }, { status: 503 })
    })
    expect([starts, found]).toEqual([3, "nothing"])
  })

  it("notices an import of another organisation", async () => {
    const cookies: Array<string> = []
    const elsewhere = call("listImports", { who: { organisation: 0, key: 0, session: 0 } })
    const found = await finding([check, start, elsewhere], (request, forward) => {
      if (!isOf(request, "GET /console/imports")) return forward(request)
      cookies.push(request.headers.get("cookie") ?? "")
      const headers = { ...Object.fromEntries(request.headers), cookie: cookies[0] ?? "" }
      return forward(new Request(request.url, { headers }))
    })
    expect(found).toContain("shows ZqB7v of another organisation")
  })

  it("notices a row that is lost", async () => {
    const found = await finding([check, start], async (request, forward) => {
      const answer = await forward(request)
      if (!isOf(request, "GET /console/api/sites")) return answer
      return withText(answer, (text) => {
        const { data, ...rest } = JSON.parse(text)
        return JSON.stringify({ ...rest, data: data.filter((site: object) => Object(site).siteName !== "South ZqB7v") })
      })
    })
    expect(found).toContain("an import (completed) stored 1 new sites of 2 rows")
  })

  it("notices a second confirmation that runs again", async () => {
    const hidden = "0190a5c0-0000-7000-8000-000000000001"
    let starts = 0
    const found = await finding(
      [check, { ...start, ...fileOf([[first, 1, null]]) }, { ...start, ...fileOf([[first, 1, null]]) }],
      async (request, forward) => {
        if (isOf(request, "GET /console/imports")) {
          return withText(await forward(request), (text) => {
            const { data } = JSON.parse(text)
            return JSON.stringify({ data: data.filter((one: object) => Object(one).id !== hidden) })
          })
        }
        if (!isOf(request, "PUT /console/imports/") || ++starts < 2) return forward(request)
        await forward(
          sending(request.clone(), await request.clone().text(), request.url.replace(/[^/]*\?/, `${hidden}?`))
        )
        return forward(request)
      }
    )
    expect(found).toMatch(/stored 1 new sites|expected/)
  })

  it("notices a fault that the check does not name", async () => {
    const faulty = call("checkImport", { ...fileOf([[first, "twelve", null]]), ...options() })
    const found = await finding([faulty], async (request, forward) => {
      if (!isOf(request, "POST /console/imports/check")) return forward(request)
      return forward(sending(request, (await request.clone().text()).replace("twelve", "12")))
    })
    expect(found).toContain("expected")
  })

  it("notices a viewer who may import", async () => {
    const viewing = call("updateUser", { ids: [{ "@id": "users", of: "own", n: 0 }], body: { role: "viewer" } })
    const steps: ReadonlyArray<Step> = [
      { does: "createUser", organisation: 1, role: "owner" },
      viewing,
      { ...check, who: { ...check.who, session: -1 } }
    ]
    const found = await finding(steps, async (request, forward) => {
      const answer = await forward(request)
      if (!isOf(request, "POST /console/imports/check") || answer.status !== 403) return answer
      const body = { importId: "01900000-0000-7000-8000-000000000009", created: 2, faults: [] }
      return Response.json(body, { headers: answer.headers })
    })
    expect(found).toContain("expected status 403 role_insufficient, found 200")
  })
})
