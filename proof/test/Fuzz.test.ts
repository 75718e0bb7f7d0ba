import { describe, expect, it } from "vitest"
import { document } from "../../packages/http-node/test/Documented.ts"
import { check } from "../src/check.ts"
import { contractOf } from "../src/fuzz/Contract.ts"
import { property } from "../src/fuzz/fuzz.ts"
import { faultsOfAnswer } from "../src/fuzz/Judge.ts"
import { runLimited } from "../src/fuzz/Limits.ts"
import { idsOfNothing } from "../src/fuzz/Placeholders.ts"
import { runRequests } from "../src/fuzz/Run.ts"
import { memoryTarget, type Target } from "../src/fuzz/Target.ts"

type Send = Target["send"]

const shrinkingMillis = 500

/** A target with another way to answer. */
const broken = (change: (send: Send) => Send) => async (): Promise<Target> => {
  const target = await memoryTarget()
  return { ...target, send: change(target.send) }
}

interface Options {
  readonly path?: string
  readonly run?: typeof runRequests
  readonly runs?: number
}

const found = async (
  change: (send: Send) => Send,
  only: RegExp,
  { path, run = runRequests, runs = 200 }: Options = {}
): Promise<string> => {
  const fuzzing = await property(broken(change), new Map(), { only, run })
  try {
    await check(fuzzing.property, { seed: 7, path, runs }, "fuzz", 200, shrinkingMillis)
    return "nothing"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await fuzzing.close()
  }
}

const textOf = (body: unknown): string => (typeof body === "string" ? body : "")

const changedBody =
  (change: (text: string) => string) =>
  (send: Send): Send =>
  (sent) =>
    send(typeof sent.body === "string" ? { ...sent, body: change(sent.body) } : sent)

const answering =
  (when: (sent: Parameters<Send>[0]) => boolean, change: (text: string) => string, status?: number) =>
  (send: Send): Send =>
  async (sent) => {
    const answer = await send(sent)
    return when(sent) ? { ...answer, text: change(answer.text), status: status ?? answer.status } : answer
  }

const sites = /^(?:POST|PUT) \/api\/sites(?:\/\{id\})?$/

describe("the proof fuzz", () => {
  it("holds for the product", async () => {
    expect(await found((send) => send, /./, { runs: 10 })).toBe("nothing")
  })

  it("finds an operation that answers an id outside of the limit of a key as it answers no id of nothing", async () => {
    expect(await found((send) => send, /./, { run: runLimited, runs: 3 })).toBe("nothing")
    const ofNothing = [...idsOfNothing().values()]
    const tells = answering(
      ({ method, path }) => method === "DELETE" && !ofNothing.some((id) => path.includes(id)),
      (text) => text,
      403
    )
    expect(await found(tells, /^DELETE \/api\/sites/, { run: runLimited })).toMatch(/ids outside of the limit/)
  })

  it("finds an operation that answers one input with 500, and replays it", async () => {
    const crashes = answering(
      ({ body }) => /"latitude":-/.test(textOf(body)),
      (text) => text,
      500
    )
    const failure = await found(crashes, sites)
    expect(failure).toMatch(/status 500/)
    const [, path = ""] = /--path (\S+)/.exec(failure) ?? []
    expect(await found(crashes, sites, { path, runs: 1 })).toMatch(/status 500/)
  })

  it("finds an operation that accepts a negative capacity", async () => {
    const failure = await found(
      changedBody((text) => text.replace(/"capacity":-/, '"capacity":')),
      /^POST \/api\/sites$/
    )
    expect(failure).toMatch(/although invalid: .*\/capacity must be > 0/)
  })

  it("finds a refusal of what the document calls valid", async () => {
    const failure = await found(
      changedBody((text) => text.replace('"unit":"GWp"', '"unit":"gwp"')),
      sites
    )
    expect(failure).toMatch(/status 400 although valid: .*"\/unit"/)
  })

  it("finds an undocumented member, and an undocumented status", async () => {
    const more = answering(
      ({ path }) => path === "/api/me",
      (text) => text.replace(/^\{/, '{"colour":1,')
    )
    expect(await found(more, /GET \/api\/me/)).toMatch(/undocumented: .*additional properties/)
    const other = answering(
      ({ method, path }) => method === "GET" && path === "/api/me",
      (text) => text,
      418
    )
    expect(await found(other, /GET \/api\/me/)).toMatch(/undocumented: status 418/)
  })

  it("finds a member that is stored with another value", async () => {
    const failure = await found(
      changedBody((text) => text.replace('"unit":"GWp"', '"unit":"MWp"')),
      sites
    )
    expect(failure).toMatch(/\.unit is "MWp", but "GWp" was sent/)
  })

  it("accepts either answer to a name too long before and a text too short after normalisation", async () => {
    const target = await memoryTarget()
    const site = {
      siteName: "a",
      capacity: 1,
      unit: "W",
      externalId: "\ufeff",
      attributes: { ["e\u0301".repeat(100)]: "b" }
    }
    const sent = { method: "POST", path: "/api/sites", query: "", body: JSON.stringify(site) }
    const headers = { "content-type": "application/json" }
    const answer = await target.send({ ...sent, headers: { ...headers, "x-api-key": await target.join() } })
    expect(answer.status).toBe(201)
    const generated = { ...sent, headers, line: "POST /api/sites", key: "own" as const }
    expect(faultsOfAnswer(contractOf(document), generated, answer)).toEqual([])
    await target.close()
  })
})
