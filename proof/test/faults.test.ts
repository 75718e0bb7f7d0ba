import { describe, expect, it } from "vitest"
import { choose } from "../src/check.ts"
import { cases } from "../src/faults/cases.ts"
import { type Bounds, type Disturbance, judge, type Observation, type Outcome } from "../src/faults/judge.ts"

const bounds: Bounds = { recoveryMillis: 2_000, deliveryMillis: 11_000, slackMillis: 1_000 }
const lostPostgres: Disturbance = { services: ["postgres"], isOfServer: false }

const good: Observation = {
  probe: "list",
  needs: ["postgres"],
  status: 200,
  code: undefined,
  retryAfter: null,
  isGood: true,
  millis: 5,
  boundMillis: 4_000
}
const refused: Observation = { ...good, status: 503, code: "database_unavailable", retryAfter: "1", isGood: false }

/** The violations of one observation, or of an otherwise good outcome. */
const found = (observation: Partial<Observation>, outcome: Partial<Outcome> = {}, disturbance = lostPostgres) =>
  judge(
    {
      observations: [good, refused, { ...good, ...observation }],
      recoveryMillis: 300,
      lastToRecover: "login",
      deliveryMillis: 0,
      lost: [],
      crash: undefined,
      ...outcome
    },
    disturbance,
    bounds
  )

describe("the judgement of a fault", () => {
  it("accepts good answers, and documented refusals by what a request needs", () => {
    expect(found({})).toEqual([])
    expect(found(refused)).toEqual([])
  })

  it.each<[string, Partial<Observation>, string]>([
    ["an answer after the bound", { millis: 5_001 }, "list: 200 after 5001 ms instead of 4000"],
    ["a hang", { status: 0, code: "hang", isGood: false }, "list: 0 hang"],
    ["a cut connection", { status: 0, code: "ECONNRESET", isGood: false }, "list: no answer (ECONNRESET)"],
    ["an internal error", { status: 500, code: "internal", isGood: false }, "list: 500 internal"],
    ["a refusal without Retry-After", { ...refused, retryAfter: null }, "list: 503 database_unavailable"],
    ["the code of another service", { ...refused, code: "storage_unavailable" }, "list: 503 storage_unavailable"],
    ["a refusal of what does not need it", { ...refused, needs: ["s3"] }, "list: 503 database_unavailable"]
  ])("finds %s", (_, observation, violation) => {
    expect(found(observation)).toEqual([violation])
  })

  it.each<[string, Partial<Outcome>, string]>([
    ["a crash", { crash: "SIGABRT" }, "the server ended: SIGABRT"],
    ["a lost write", { lost: ["Site 7"] }, "lost: Site 7"],
    ["a slow recovery", { recoveryMillis: 2_100 }, "recovered after 2100 ms instead of 2000: login"],
    ["no recovery", { recoveryMillis: Number.POSITIVE_INFINITY }, "recovered after Infinity ms instead of 2000: login"],
    ["a mail that never arrives", { deliveryMillis: 60_000 }, "delivered after 60000 ms instead of 11000"]
  ])("finds %s", (_, outcome, violation) => {
    expect(found({}, outcome)).toEqual([violation])
  })

  it("allows lost connections to a stopped server, and nothing else", () => {
    const ofServer = { services: [], isOfServer: true }
    const outcome = { observations: [{ ...good, status: 0, code: "ECONNREFUSED", isGood: false }] }
    expect(found({}, outcome, ofServer)).toEqual([])
    expect(found({}, { observations: [refused] }, ofServer)).toEqual(["list: 503 database_unavailable"])
  })
})

describe("the matrix of faults", () => {
  it("has at least 24 faults with names of their own, and some for the short form of each target", () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
    expect(cases.length).toBeGreaterThanOrEqual(24)
    const short = cases.filter(({ isLong }) => !isLong).map(({ target }) => target)
    expect([...new Set(short)].toSorted()).toEqual(["openid", "postgres", "redis", "s3", "server", "smtp", "webhooks"])
  })

  it("is chosen by the seed", () => {
    const names = (seed: number) => choose(cases, 5, seed).map(({ name }) => name)
    expect(names(7)).toEqual(names(7))
    expect(new Set([1, 2, 3, 4].map((seed) => names(seed).join())).size).toBe(4)
    expect(names(7)).toHaveLength(5)
  })
})
