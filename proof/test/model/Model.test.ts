import {
  DocumentRepository,
  EventRepository,
  PortfolioRepository,
  Records,
  RequirementRepository,
  SiteRepository
} from "@solar-sites/core"
import { SolarSitesHarness } from "@solar-sites/testing"
import { Context, Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { check } from "../../src/check.ts"
import { sequences } from "../../src/model/model.ts"
import { apiOperations, operations } from "../../src/model/operations.ts"
import { runSteps, type Step } from "../../src/model/Runner.ts"
import { inProcess, type Ports } from "../../src/model/targets/InProcess.ts"
import type { Target } from "../../src/model/targets/Target.ts"
import { forgetting, forgettingIn, withoutLimit } from "./BrokenPorts.ts"

/** Sequences on this target. */
const propertyOf = (make: () => Promise<Target>) => {
  // The deletion of an organisation repeats until nothing is left, which broken adapters prevent.
  const without = sequences(30).map((all) => all.filter((step) => !("does" in step && step.does === "replaceLast")))
  return fc.asyncProperty(without, async (steps) => {
    const target = await make()
    try {
      await runSteps(target, steps)
    } finally {
      await target.close()
    }
  })
}

/**
 * What the model says to sequences on this target, until it finds something. The seeds of the tests find it in one to
 * three sequences. After a change of the generator they may need more.
 */
const finding = async (make: () => Promise<Target>, runs: number, seed = 1): Promise<string> => {
  const { errorInstance, failed } = await fc.check(propertyOf(make), { seed, numRuns: runs, endOnFailure: true })
  return failed ? String(errorInstance) : "nothing"
}

const headersOf = ({ headers }: Response) => Object.fromEntries(headers)

const broken = (change: (ports: Ports) => Ports) => () => inProcess(change)

describe("the model", () => {
  it("knows every operation with a caller of the OpenAPI document", async () => {
    await using harness = await SolarSitesHarness.make()
    const { paths } = Object(await (await harness.fetch("http://solar.test/openapi.json")).json())
    const documented = Object.entries<Record<string, { readonly operationId: string }>>(paths)
      .filter(([path]) => path.startsWith("/api/"))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`])
      )
    const known = Object.entries(apiOperations).map(([name, { method, path }]) => [name, `${method} ${path}`])
    expect(known.sort()).toEqual(documented.sort())
  })

  it("makes calls of every operation", () => {
    const steps = fc.sample(sequences(50), { numRuns: 100, seed: 22 }).flat()
    const callsOf = (step: Step) => {
      if ("call" in step) return [step.call]
      return "does" in step && step.does === "logInByProvider" ? ["startProviderLogin", "finishProviderLogin"] : []
    }
    const made = new Set(steps.flatMap(callsOf))
    expect([...made].sort()).toEqual(Object.keys(operations).sort())
  })

  it("notices concurrent changes of which one is lost", async () => {
    const target = await inProcess((ports) => ports)
    let first: Promise<Response> | undefined
    const fetch: Target["fetch"] = async (toRequest, server) => {
      if (toRequest("http://solar.test").method !== "PUT") return target.fetch(toRequest, server)
      if (first === undefined) first = target.fetch(toRequest, server)
      const answer = (await first).clone()
      const requestId = toRequest("http://solar.test").headers.get("x-request-id") ?? ""
      return new Response(answer.body, {
        status: answer.status,
        headers: { ...headersOf(answer), "x-request-id": requestId }
      })
    }
    const change = (capacity: number) => ({
      call: "updateSite" as const,
      who: { organisation: 0, key: 0 },
      ids: [{ "@id": "sites", of: "own", n: 0 }] as const,
      body: { capacity }
    })
    const sent = runSteps({ ...target, fetch }, [{ concurrent: [change(7), change(8)] }])
    await expect(sent).rejects.toThrow("no order explains the answers")
    await target.close()
  })

  // The short form of the proof runs 25 sequences on memory. These show that the next tests find what they break.
  it("agrees with the memory", async () => {
    expect(
      await finding(
        broken((ports) => ports),
        2
      )
    ).toBe("nothing")
  })

  it.each([
    ["finds sites of another organisation", 8, broken(forgettingIn("SiteRepository.findById"))],
    ["deletes portfolios of another organisation", 5, broken(forgetting(PortfolioRepository, "delete"))],
    ["finds documents of another organisation", 9, broken(forgettingIn("DocumentRepository.findById"))]
  ])("notices an adapter that %s", async (_, seed, make) => {
    expect(await finding(make, 100, seed)).toMatch(/expected|shows/)
  })

  it.each([
    ["sites", broken(withoutLimit(SiteRepository, "list"))],
    ["portfolios", broken(withoutLimit(PortfolioRepository, "listWithSites"))],
    ["documents", broken(withoutLimit(DocumentRepository, "list"))],
    ["coverage", broken(withoutLimit(RequirementRepository, "listCoverage"))],
    ["events", broken(withoutLimit(EventRepository, "list"))]
  ])("notices an adapter that lists %s outside of the portfolios of a key", async (_, make) => {
    expect(await finding(make, 1)).toMatch(/expected|shows/)
  })

  it("replays a failure by its seed and path, without shrinking it again", async () => {
    const property = propertyOf(broken(forgettingIn("SiteRepository.findById")))
    const failureOf = (path: string | undefined) =>
      check(property, { seed: 8, path, runs: 100 }, "model --on memory", 100, 1_000).catch(String)
    const found = String(await failureOf(undefined))
    const [, seed, path] =
      /Replay: npx -y pnpm@10 proof model --on memory --seed (\d+) --path ([\d:]+)/.exec(found) ?? []
    expect(seed).toBe("8")
    const replayed = String(await failureOf(path))
    const mismatchIn = (report: string) =>
      report.split("\n").find((line) => line.startsWith("Error: ") && !/Property/.test(line))
    expect(mismatchIn(replayed)).toMatch(/expected|shows/)
    expect(mismatchIn(replayed)).toBe(mismatchIn(found))
    expect(replayed).toContain("Shrunk 0 time(s)")
  })

  it("notices an adapter that loses a write", async () => {
    const loses = broken((ports) => {
      const intact = Context.get(ports, Records)
      const { commit } = intact
      const losing: typeof commit = (operation, organisation, change) =>
        operation === "SiteRepository.update"
          ? Effect.succeed({ _tag: "Committed", revisions: change.writes.map(() => null) })
          : commit(operation, organisation, change)
      return Context.add(ports, Records, { ...intact, commit: losing })
    })
    expect(await finding(loses, 100, 22)).toContain("expected")
  })

  it("notices a store that keeps a deleted key", async () => {
    const keeps = broken((ports) => {
      const intact = Context.get(ports, Records)
      const asked = new Set<string>()
      // The second deletion succeeds: that of an organisation repeats it until nothing is left.
      const kept: typeof intact.commit = (operation, organisation, change) => {
        const id = change.writes[0]?.id ?? ""
        if (operation !== "ApiKeyStore.delete" || asked.has(id)) return intact.commit(operation, organisation, change)
        asked.add(id)
        return Effect.succeed({ _tag: "Committed", revisions: [null] })
      }
      return Context.add(ports, Records, { ...intact, commit: kept })
    })
    expect(await finding(keeps, 200, 8)).toContain("expected status 401")
  })

  it("notices a cell of CSV with another value", async () => {
    const wrong = async () => {
      const target = await inProcess((ports) => ports)
      const fetch: Target["fetch"] = async (toRequest, server) => {
        const response = await target.fetch(toRequest, server)
        if (!response.headers.get("content-type")?.startsWith("text/csv")) return response
        const text = await response.text()
        return new Response(text.replaceAll(",kW,", ",MW,"), { status: response.status, headers: response.headers })
      }
      return { ...target, fetch }
    }
    expect(await finding(wrong, 100, 5)).toContain('unit: expected "kW", found "MW"')
  })

  it("notices a binding that answers 403 for what belongs to another organisation", async () => {
    const tells = async () => {
      const target = await inProcess((ports) => ports)
      const known = new Set<string>()
      const fetch: Target["fetch"] = async (toRequest, server) => {
        const response = await target.fetch(toRequest, server)
        const location = response.headers.get("location")
        if (location !== null) known.add(location)
        const { pathname } = new URL(toRequest("http://solar.test").url)
        const isForeign = response.status === 404 && known.has(pathname)
        return isForeign ? new Response(response.body, { status: 403, headers: response.headers }) : response
      }
      return { ...target, fetch }
    }
    expect(await finding(tells, 100)).toContain("found 403")
  })
})
