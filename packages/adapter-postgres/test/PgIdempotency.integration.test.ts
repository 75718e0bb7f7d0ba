import { assert, describe, it } from "@effect/vitest"
import type { PgPorts } from "@solar-sites/adapter-postgres"
import {
  AccessChanges,
  IdempotencyStore,
  OrganisationRepository,
  RateLimiter,
  RepositoryError,
  SiteRepository
} from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { anOrganisation, MemoryDocumentStorage } from "@solar-sites/testing"
import { type Context, DateTime, Effect, Layer, Logger } from "effect"
import { onPostgres, withoutPostgres } from "./Databases.ts"

type Store = IdempotencyStore["Service"]

const body = JSON.stringify({ siteName: "Long Meadow", capacity: 1.2, unit: "MW" })

/** A server of its own over the ports, for callers of one organisation. */
const instance = (ports: Context.Context<PgPorts>, organisationId: string, change?: (store: Store) => Store) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const beside = Layer.mergeAll(
        AccessChanges.layerInProcess,
        RateLimiter.layerInProcess,
        MemoryDocumentStorage.layer
      )
      const store = Layer.effect(
        IdempotencyStore,
        Effect.map(IdempotencyStore, (it) => change?.(it) ?? it)
      )
      const stored = Layer.succeedContext(ports)
      const adapters = Layer.mergeAll(stored, beside, Layer.provide(store, stored), Logger.layer([]))
      return toWebHandler(adapters, { authenticate: () => ({ organisationId }) })
    }),
    ({ dispose }) => Effect.promise(dispose)
  )

const post = ({ handler }: ReturnType<typeof toWebHandler>, key: string) =>
  Effect.promise(async () => {
    const headers = { "content-type": "application/json", "idempotency-key": key }
    const response = await handler(new Request("http://localhost/api/sites", { method: "POST", headers, body }))
    const { code = null, id = null } = JSON.parse(await response.text())
    return { status: response.status, code, id, replayed: response.headers.has("idempotency-replayed") }
  })

const organisationIn = Effect.fnUntraced(function* () {
  const organisation = anOrganisation()
  yield* (yield* OrganisationRepository).insert(organisation)
  return organisation.id
})

describe.skipIf(withoutPostgres)("requests with an idempotency key, on two instances over one Postgres", () => {
  it.live("create one site from forty concurrent requests, and give all the same answer", () =>
    Effect.gen(function* () {
      const ports = yield* onPostgres()
      const organisationId = yield* Effect.provide(organisationIn(), ports)
      const instances = [yield* instance(ports, organisationId), yield* instance(ports, organisationId)]
      for (const key of ["first", "second", "third"]) {
        const all = Array.from({ length: 20 }, () => instances).flat()
        const answers = yield* Effect.forEach(all, (it) => post(it, key), { concurrency: "unbounded" })
        const created = answers.filter(({ replayed, status }) => status === 201 && !replayed)
        assert.strictEqual(created.length, 1)
        for (const { code, id, status } of answers) {
          if (status === 201) assert.strictEqual(id, created[0]?.id)
          else assert.deepStrictEqual([status, code], [409, "idempotency_key_in_use"])
        }
        for (const it of instances) {
          assert.deepInclude(yield* post(it, key), { status: 201, id: created[0]?.id, replayed: true })
        }
      }
      const sites = yield* Effect.provide(SiteRepository, ports)
      const { items } = yield* sites.list(organisationId, {}, { after: null, limit: 10 })
      assert.strictEqual(items.length, 3)
    })
  )

  it.live("are completed by another instance when the first ends before it stores the answer", () =>
    Effect.gen(function* () {
      const ports = yield* onPostgres()
      const organisationId = yield* Effect.provide(organisationIn(), ports)
      const cause = new Error("the process has ended")
      const ended = yield* instance(ports, organisationId, (store) => ({
        ...store,
        end: () => Effect.fail(new RepositoryError({ operation: "IdempotencyStore.end", retryable: true, cause }))
      }))
      const late = (instant: DateTime.Utc) => DateTime.add(instant, { minutes: 1 })
      const alive = yield* instance(ports, organisationId, (store) => ({
        ...store,
        claim: (owner, key, { expiresAt, leaseUntil, now, ...request }) =>
          store.claim(owner, key, {
            ...request,
            now: late(now),
            leaseUntil: late(leaseUntil),
            expiresAt: late(expiresAt)
          })
      }))
      const first = yield* post(ended, "one")
      assert.deepInclude(yield* post(ended, "one"), { status: 409, code: "idempotency_key_in_use" })
      assert.deepStrictEqual(yield* post(alive, "one"), { ...first, status: 201, replayed: false })
      assert.deepStrictEqual(yield* post(ended, "one"), { ...first, status: 201, replayed: true })
      const sites = yield* Effect.provide(SiteRepository, ports)
      const { items } = yield* sites.list(organisationId, {}, { after: null, limit: 10 })
      assert.deepStrictEqual(
        items.map(({ id }) => id),
        [first.id]
      )
    })
  )
})
