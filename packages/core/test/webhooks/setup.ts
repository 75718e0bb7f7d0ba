import {
  type Caller,
  SolarSitesServices,
  WebhookAddressNotAllowed,
  type WebhookRequest,
  WebhookSender,
  WebhookSendFailed,
  Webhooks
} from "@solar-sites/core"
import { aSite, MemoryAdapters, siteMethods } from "@solar-sites/testing"
import { Clock, Effect, Layer } from "effect"
import { aPerson, as } from "../services.ts"

/** Requests by the address of their receiver, and the answers of the receivers. */
export const receivers = () => {
  const requests: Array<WebhookRequest & { readonly at: number }> = []
  const answers = new Map<string, Effect.Effect<number>>()
  const sender = WebhookSender.of({
    check: (url) =>
      url.startsWith("https:") ? Effect.void : Effect.fail(new WebhookAddressNotAllowed({ reason: "must be https" })),
    send: Effect.fnUntraced(function* (request) {
      requests.push({ ...request, at: yield* Clock.currentTimeMillis })
      const status = yield* answers.get(request.url) ?? Effect.succeed(204)
      if (status > 0) return { status }
      return yield* new WebhookSendFailed({ reason: "timeout", detail: "No answer.", status: null })
    })
  })
  const services = SolarSitesServices.layer.pipe(
    Layer.provideMerge(Layer.merge(MemoryAdapters.layer, Layer.succeed(WebhookSender, sender)))
  )
  return { requests, answers, services, to: (url: string) => requests.filter((request) => request.url === url) }
}

/** Statuses by which a receiver does not answer. */
export const noAnswer = 0

/** A person of a new organisation, and what it does with webhooks. */
export const owner = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const sites = yield* siteMethods
  const person: Caller = yield* aPerson
  const { organisationId } = person
  return {
    organisationId,
    asPerson: as(person),
    create: (url: string) => webhooks.create({ url, events: ["site.*"] }).pipe(as(person)),
    /** Makes a change, and so an event. */
    change: Effect.suspend(() => sites.insert(organisationId, aSite({ organisationId }))),
    webhooks
  }
})
