import { createConnection } from "node:net"
import { IdempotencyStore, Records, RepositoryError, type Site } from "@solar-sites/core"
import { DateTime, Effect, Latch, Layer, Logger } from "effect"
import { describe, expect, it } from "vitest"
import { useMember } from "./Serving.ts"
import { aNewSite, bindings, caller, makeSetup, nodeBinding, type Send, uploadsOf } from "./Setup.ts"

type Store = IdempotencyStore["Service"]
type Stored = Records["Service"]
type Commit = Stored["commit"]

const lost = (operation: string) =>
  Effect.fail(new RepositoryError({ operation, retryable: true, cause: new Error("connection lost") }))

/** Replaces the commit of a new site. */
const committing =
  (replace: (commit: Commit) => Commit) =>
  ({ commit }: Stored): Partial<Stored> => ({
    commit: (operation, ...change) =>
      (operation === "SiteRepository.insert" ? replace(commit) : commit)(operation, ...change)
  })

describe.each(Object.entries(bindings))("failures with an Idempotency-Key, through %s", (_, bind) => {
  const { member, setup } = useMember()

  /** The same memory, with a store and records that fail. */
  const ports = (store: (intact: Store) => Partial<Store>, records: (intact: Stored) => Partial<Stored>) => {
    const changed = Layer.merge(
      Layer.effect(
        IdempotencyStore,
        Effect.map(IdempotencyStore, (it) => ({ ...it, ...store(it) }))
      ),
      Layer.effect(
        Records,
        Effect.map(Records, (it) => ({ ...it, ...records(it) }))
      )
    )
    return Layer.mergeAll(setup().ports, Layer.provide(changed, setup().ports), Logger.layer([]))
  }
  const using = async <A>(
    store: (intact: Store) => Partial<Store>,
    records: (intact: Stored) => Partial<Stored>,
    use: (send: Send) => Promise<A>
  ) => {
    const binding = await bind(ports(store, records))
    return use(caller(binding, member().key)).finally(binding.close)
  }
  const intact = () => ({})
  const poster = (send: Send, name = crypto.randomUUID()) => {
    const headers = { "idempotency-key": name }
    return (path: string, body: unknown) => send(`POST ${path}`, { headers, body })
  }
  const named = async (send: Send, siteName: string) => {
    const { data } = (await send("GET /api/sites")).json
    return data.filter((site: Site) => site.siteName === siteName)
  }

  it("changes nothing when the store is down", () =>
    using(
      () => ({ claim: () => lost("IdempotencyStore.claim") }),
      intact,
      async (send) => {
        const siteName = crypto.randomUUID()
        const { headers, json, status } = await poster(send)("/api/sites", { ...aNewSite, siteName })
        expect([status, json.code, headers.get("retry-after")]).toEqual([503, "database_unavailable", "1"])
        expect(await named(send, siteName)).toEqual([])
        expect((await send("POST /api/sites", { body: { ...aNewSite, siteName } })).status).toBe(201)
      }
    ))

  it("completes a request whose connection was lost, and does not repeat its changes", () => {
    let isLost = true
    return using(
      intact,
      committing(
        (commit) =>
          (...args) =>
            Effect.flatMap(commit(...args), (outcome) =>
              isLost ? lost("SiteRepository.insert") : Effect.succeed(outcome)
            )
      ),
      async (send) => {
        const body = { ...aNewSite, siteName: crypto.randomUUID() }
        const post = poster(send)
        expect((await post("/api/sites", body)).json.code).toBe("database_unavailable")
        const [stored] = await named(send, body.siteName)
        isLost = false
        const again = await post("/api/sites", body)
        expect([again.status, again.json]).toEqual([201, stored])
        expect((await post("/api/sites", body)).text).toBe(again.text)
        expect(await named(send, body.siteName)).toEqual([stored])
      }
    )
  })

  it("can be retried at once after a defect, by the same request only", () => {
    let isBroken = true
    return using(
      intact,
      committing(
        (commit) =>
          (...args) =>
            isBroken ? Effect.die(new Error("bug")) : commit(...args)
      ),
      async (send) => {
        const body = { ...aNewSite, siteName: crypto.randomUUID() }
        const post = poster(send)
        expect((await post("/api/sites", body)).status).toBe(500)
        isBroken = false
        expect((await post("/api/sites", aNewSite)).json.code).toBe("idempotency_key_reused")
        expect((await post("/api/sites", body)).status).toBe(201)
      }
    )
  })

  it("leaves neither a duplicate nor a permanent conflict when the process ends before the response is stored", () => {
    let millis = 0
    let dies = true
    const later = (instant: DateTime.Utc) => DateTime.add(instant, { milliseconds: millis })
    return using(
      ({ claim, end }) => ({
        claim: (owner, name, request) => {
          const { expiresAt, leaseUntil, now } = request
          const moved = { now: later(now), leaseUntil: later(leaseUntil), expiresAt: later(expiresAt) }
          return claim(owner, name, { ...request, ...moved })
        },
        end: (...args) => (dies ? lost("IdempotencyStore.end") : end(...args))
      }),
      intact,
      async (send) => {
        const { json: site } = await send("POST /api/sites", { body: aNewSite })
        const siteName = crypto.randomUUID()
        const idsOf = ({ json }: Awaited<ReturnType<Send>>) =>
          JSON.stringify(json).match(/"(?:id|documentId)":"[^"]+"/g)
        for (const [path, body, status] of [
          ["/api/sites", { ...aNewSite, siteName }, 201],
          ["/api/portfolios", [{ name: "A" }, { name: "B" }], 201],
          ["/api/docs/bulk-upload-url", uploadsOf(site.id, "a.txt", "b.txt"), 200]
        ] as const) {
          millis = 0
          dies = true
          const post = poster(send)
          const first = await post(path, body)
          expect(first.status).toBe(status)
          const early = await post(path, body)
          expect([early.status, early.json.code]).toEqual([409, "idempotency_key_in_use"])
          millis = 60_000
          dies = false
          const again = await post(path, body)
          expect([again.status, again.headers.has("idempotency-replayed")]).toEqual([status, false])
          expect(idsOf(again)).toEqual(idsOf(first))
          const replayed = await post(path, body)
          expect([idsOf(replayed), replayed.headers.get("idempotency-replayed")]).toEqual([idsOf(first), "true"])
        }
        expect(await named(send, siteName)).toHaveLength(1)
        expect((await send("GET /api/portfolios")).json.data).toHaveLength(2)
        expect((await send(`GET /api/docs?siteId=${site.id}`)).json.data).toHaveLength(2)
      }
    )
  })

  it("is in use while its request is in progress", () => {
    const [begun, goOn] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
    return using(
      intact,
      committing(
        (commit) =>
          (...args) =>
            begun.open.pipe(Effect.andThen(goOn.await), Effect.andThen(commit(...args)))
      ),
      async (send) => {
        const post = poster(send)
        const first = post("/api/sites", aNewSite)
        await Effect.runPromise(begun.await)
        const second = await post("/api/sites", aNewSite)
        expect([second.status, second.json.code]).toEqual([409, "idempotency_key_in_use"])
        expect((await post("/api/sites", { ...aNewSite, unit: "kW" })).json.code).toBe("idempotency_key_reused")
        await Effect.runPromise(goOn.open)
        const { text } = await first
        expect((await post("/api/sites", aNewSite)).text).toBe(text)
      }
    )
  })
})

it("stores the response for a client that has disconnected before", async () => {
  const setup = await makeSetup()
  const { key } = await setup.join("Sunfield")
  const [begun, goOn] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  const slowly = committing(
    (commit) =>
      (...args) =>
        begun.open.pipe(Effect.andThen(goOn.await), Effect.andThen(commit(...args)))
  )
  const slow = Layer.effect(
    Records,
    Effect.map(Records, (it) => ({ ...it, ...slowly(it) }))
  )
  const binding = await nodeBinding(Layer.merge(setup.ports, Layer.provide(slow, setup.ports)))
  const body = JSON.stringify(aNewSite)
  const socket = createConnection(binding.port, "127.0.0.1", () =>
    socket.write(
      `POST /api/sites HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\nidempotency-key: one\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    )
  )
  await Effect.runPromise(begun.await)
  await new Promise<void>((resolve) => {
    socket.on("close", () => resolve())
    socket.destroy()
  })
  await Effect.runPromise(goOn.open)
  const send = caller(binding, key)
  let answer = await send("POST /api/sites", { headers: { "idempotency-key": "one" }, body })
  while (answer.json.code === "idempotency_key_in_use") {
    answer = await send("POST /api/sites", { headers: { "idempotency-key": "one" }, body })
  }
  expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([201, "true"])
  expect((await send("GET /api/sites")).json.data).toEqual([answer.json])
  await binding.close()
  await setup.close()
})
