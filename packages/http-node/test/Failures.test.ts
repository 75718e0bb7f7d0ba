import { createConnection } from "node:net"
import { Records, RepositoryError, SiteRepository } from "@solar-sites/core"
import { Effect, Latch, Layer, Logger } from "effect"
import { describe, expect, it } from "vitest"
import { useMember } from "./Serving.ts"
import { aNewSite, bindings, caller, makeSetup, nodeBinding, type Ports, unknownId } from "./Setup.ts"

type Service = Records["Service"]

const withRecords = (ports: Ports, change: (records: Service) => Partial<Service>): Ports => {
  const changed = Effect.map(Records, (it) => ({ ...it, ...change(it) }))
  return Layer.merge(ports, Layer.provide(Layer.effect(Records, changed), ports))
}

const secret = "select * from secret_table"
const failure = (retryable: boolean) =>
  new RepositoryError({ operation: "SiteRepository.findById", retryable, cause: new Error(secret) })

describe.each(Object.entries(bindings))("failures through %s", (_, bind) => {
  const { member, setup } = useMember()

  const get = async (failing: Service["load"]) => {
    const logged: Array<string> = []
    const logger = Logger.layer([Logger.make(({ cause, message }) => logged.push(`${message} ${cause}`))])
    const ports = Layer.merge(
      withRecords(setup().ports, ({ load }) => ({
        load: (operation, ...rest) => (operation === "SiteRepository.findById" ? failing : load)(operation, ...rest)
      })),
      logger
    )
    const binding = await bind(ports)
    const answer = await caller(binding, member().key)(`GET /api/sites/${unknownId}`)
    await binding.close()
    return { ...answer, logged }
  }

  it("answers 503 with Retry-After when the store is down", async () => {
    const { headers, json, logged, status } = await get(() => Effect.fail(failure(true)))
    expect([status, json.code, headers.get("retry-after")]).toEqual([503, "database_unavailable", "1"])
    expect(logged).toHaveLength(1)
  })

  it.each([
    ["a failure that no repetition mends", () => Effect.fail(failure(false))],
    ["a bug", () => Effect.die(new Error(secret))],
    [
      "an exception",
      () => {
        throw new Error(secret)
      }
    ]
  ] as const)("answers %s with nothing but that it happened, and logs it once", async (_, load) => {
    const { headers, json, logged, status, text } = await get(load)
    expect(status).toBe(500)
    expect(json).toEqual({
      type: "urn:solar-sites:problem:internal",
      status: 500,
      title: "Internal error",
      detail: "Something went wrong on our side.",
      code: "internal",
      requestId: headers.get("x-request-id")
    })
    expect(text).not.toContain("secret")
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain(secret)
    expect(logged[0]).not.toContain(member().key)
  })
})

describe("a client that disconnects", () => {
  it("interrupts neither a change that has begun, nor the shutdown", async () => {
    const setup = await makeSetup()
    const { caller: member, key } = await setup.join("Sunfield")
    const begun = Latch.makeUnsafe()
    const goOn = Latch.makeUnsafe()
    const slow = withRecords(setup.ports, ({ commit }) => ({
      commit: (...change) => begun.open.pipe(Effect.andThen(goOn.await), Effect.andThen(commit(...change)))
    }))
    const binding = await nodeBinding(slow)
    const body = JSON.stringify(aNewSite)
    const socket = createConnection(binding.port, "127.0.0.1", () =>
      socket.write(
        `POST /api/sites HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      )
    )
    await Effect.runPromise(begun.await)
    await new Promise<void>((resolve) => {
      socket.on("close", () => resolve())
      socket.destroy()
    })
    const drained = binding.close()
    await Effect.runPromise(goOn.open)
    await drained
    const found = await setup.run(
      Effect.flatMap(SiteRepository, (it) => it.list(member.organisationId, {}, { after: null, limit: 10 }))
    )
    expect(found.items).toHaveLength(1)
    await setup.close()
  })
})
