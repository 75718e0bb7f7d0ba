import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, type Send } from "./Setup.ts"

describe.each(Object.entries(bindings))("external ids, tags and attributes through %s", (_, bind) => {
  const { send } = useServer(bind)

  const create = (members: object) => send("POST /api/sites", { body: { ...aNewSite, ...members } })
  const faultsOf = ({ json, status }: Awaited<ReturnType<Send>>) => [
    status,
    ...json.errors.map(({ code, pointer }: { code: string; pointer: string }) => `${pointer} ${code}`).sort()
  ]

  it("come after all other members, and are null and empty without a value", async () => {
    const { json, text } = await create({ externalId: null, tags: null, attributes: null })
    expect(text).toMatch(/"version":1,"externalId":null,"tags":\[\],"attributes":\{\}\}$/)
    const changed = await send(`PUT /api/sites/${json.id}`, {
      body: { externalId: " A ", tags: ["b", "e\u0301"], attributes: { b: 1, a: "x", "e\u0301": null, c: true } }
    })
    expect(changed.text).toMatch(
      /"version":2,"externalId":" A ","tags":\["b","é"\],"attributes":\{"a":"x","b":1,"c":true,"é":null\}\}$/
    )
    const same = { tags: ["b", "é"], attributes: { c: true, é: null, a: "x", b: 1 } }
    expect((await send(`PUT /api/sites/${json.id}`, { body: same })).json.version).toBe(2)
    const replaced = await send(`PUT /api/sites/${json.id}`, { body: { attributes: { a: 1 } } })
    expect(replaced.json.attributes).toEqual({ a: 1 })
    const cleared = await send(`PUT /api/sites/${json.id}`, {
      body: { externalId: null, tags: null, attributes: null }
    })
    expect(cleared.json).toMatchObject({ externalId: null, tags: [], attributes: {} })
  })

  it("take names such as __proto__ for names", async () => {
    const body = `{"siteName":"A","capacity":1,"unit":"kW","attributes":{"__proto__":"x","constructor":1}}`
    const { json, text } = await send("POST /api/sites", { body })
    expect(text).toContain('"attributes":{"__proto__":"x","constructor":1}')
    expect((await send(`GET /api/sites/${json.id}`)).text).toBe(text)
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  it("are refused at their places", async () => {
    expect(
      faultsOf(
        await create({
          externalId: "x".repeat(201),
          tags: ["a", "", "b".repeat(51), 1],
          attributes: { "": 1, ["n".repeat(101)]: 1, a: {}, b: "x".repeat(1_001), "\u0000": 1 }
        })
      )
    ).toEqual([
      400,
      "/attributes/\u0000 forbidden_character",
      "/attributes/ too_short",
      "/attributes/a invalid_type",
      "/attributes/b too_long",
      `/attributes/${"n".repeat(101)} too_long`,
      "/externalId too_long",
      "/tags/1 too_short",
      "/tags/2 too_long",
      "/tags/3 invalid_type"
    ])
    const many = Array.from({ length: 51 }, (_, index) => `${index}`)
    const attributes = Object.fromEntries(many.map((name) => [name, {}]))
    expect(faultsOf(await create({ externalId: "", tags: many.slice(0, 21), attributes }))).toEqual([
      400,
      "/attributes too_many",
      "/externalId too_short",
      "/tags too_many"
    ])
    expect(faultsOf(await create({ tags: ["é", "a", "e\u0301", "a"] }))).toEqual([
      400,
      "/tags/2 duplicate",
      "/tags/3 duplicate"
    ])
  })

  it("refuse a taken external id with the resource that has it", async () => {
    const owner = await create({ externalId: "TAKEN" })
    const other = await create({})
    const refusals = [
      await create({ externalId: "TAKEN" }),
      await send(`PUT /api/sites/${other.json.id}`, { body: { externalId: "TAKEN" } })
    ]
    for (const refusal of refusals) {
      expect([...faultsOf(refusal), refusal.json.code]).toEqual([
        409,
        "/externalId external_id_taken",
        "external_id_taken"
      ])
      expect(refusal.json.conflicts).toEqual([{ externalId: "TAKEN", takenBy: owner.json.id }])
    }
    const stale = { body: { externalId: "TAKEN" }, headers: { "if-match": '"9"' } }
    expect((await send(`PUT /api/sites/${other.json.id}`, stale)).status).toBe(412)
  })

  it("refuse those of several portfolios at once, in either form of the body", async () => {
    const named = (...ids: ReadonlyArray<string>) => ids.map((externalId) => ({ name: "P", externalId }))
    const { json } = await send("POST /api/portfolios", { body: { portfolios: named("A", "B") } })
    const [a, b] = json.data
    expect(a).toMatchObject({ version: 1, externalId: "A" })
    const wrapped = await send("POST /api/portfolios", { body: { portfolios: named("C", "B", "A") } })
    expect(faultsOf(wrapped)).toEqual([
      409,
      "/portfolios/1/externalId external_id_taken",
      "/portfolios/2/externalId external_id_taken"
    ])
    expect(wrapped.json.conflicts).toEqual([
      { externalId: "B", takenBy: b.id },
      { externalId: "A", takenBy: a.id }
    ])
    expect(faultsOf(await send("POST /api/portfolios", { body: named("C", "B") }))).toEqual([
      409,
      "/1/externalId external_id_taken"
    ])
    const twice = await send("POST /api/portfolios", { body: { portfolios: named("C", "D", "C") } })
    expect(faultsOf(twice)).toEqual([400, "/portfolios/2/externalId duplicate"])
    const put = await send(`PUT /api/portfolios/${a.id}`, { body: { externalId: "B" } })
    expect(faultsOf(put)).toEqual([409, "/externalId external_id_taken"])
    const cleared = await send(`PUT /api/portfolios/${a.id}`, { body: { externalId: null } })
    expect(cleared.json).toMatchObject({ version: 2, externalId: null })
  })
})
