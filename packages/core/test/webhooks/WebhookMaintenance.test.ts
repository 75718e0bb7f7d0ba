import { expect, it } from "@effect/vitest"
import { type OrganisationId, Records, SolarSitesServices, WebhookQueue, WebhookSender } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { owner } from "./setup.ts"

it.effect("the worker disables failing webhooks and purges old deliveries of each organisation", () => {
  const calls = { disableFailing: new Set<OrganisationId>(), purge: new Set<OrganisationId>() }
  const adapters = Layer.effectContext(
    Effect.map(Layer.build(MemoryAdapters.layer), (context) => {
      const queue = Context.get(context, WebhookQueue)
      const records = Context.get(context, Records)
      const noting = Context.add(context, Records, {
        ...records,
        load: (operation, organisationId, ...rest) => {
          if (operation === "WebhookQueue.disableFailing") calls.disableFailing.add(organisationId)
          return records.load(operation, organisationId, ...rest)
        }
      })
      return Context.add(noting, WebhookQueue, {
        ...queue,
        purge: (organisationId, options) => {
          calls.purge.add(organisationId)
          return queue.purge(organisationId, options)
        }
      })
    })
  )
  const sender = Layer.succeed(WebhookSender, { check: () => Effect.void, send: () => Effect.succeed({ status: 204 }) })
  const services = SolarSitesServices.layer.pipe(Layer.provideMerge(Layer.merge(adapters, sender)))
  return Effect.gen(function* () {
    const owners = [yield* owner, yield* owner]
    for (const { create } of owners) yield* create("https://example.com/a")
    yield* TestClock.adjust("5 minutes")
    const all = new Set(owners.map(({ organisationId }) => organisationId))
    expect(calls).toEqual({ disableFailing: all, purge: all })
  }).pipe(Effect.provide(services))
})
