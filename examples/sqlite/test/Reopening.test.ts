import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  EventRepository,
  OrganisationRepository,
  type SolarSitesServices,
  siteRecords,
  WebhookSigning,
  webhookRecords
} from "@solar-sites/core"
import { anOrganisation, aSite, aWebhook } from "@solar-sites/testing"
import { DateTime, Effect, Option, Redacted } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as Sqlite from "../src/Sqlite.ts"

let directory = ""
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "solar-sites-"))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const organisation = anOrganisation()
const organisationId = organisation.id
const site = aSite({ organisationId, siteName: "Höhenfeld" })
const webhook = aWebhook()
const secret = WebhookSigning.fromText("whsec_a")

const open = <A>(use: Effect.Effect<A, unknown, SolarSitesServices.DatabasePorts>) =>
  Effect.runPromise(Effect.provide(use, Sqlite.layer({ location: join(directory, "solar.sqlite") })))

it("a file that is opened again has its records, secrets and the numbers of events", async () => {
  await open(
    Effect.gen(function* () {
      yield* (yield* OrganisationRepository).insert(organisation)
      yield* (yield* siteRecords).insert(organisationId, site)
      yield* (yield* webhookRecords).insert(organisationId, webhook, secret)
    })
  )
  await open(
    Effect.gen(function* () {
      const sites = yield* siteRecords
      expect(yield* sites.findById(organisationId, site.id)).toEqual(Option.some(site))
      const at = DateTime.makeUnsafe(0)
      const signing = yield* (yield* webhookRecords).findSigning(organisationId, webhook.id, at)
      expect(Option.map(signing, ({ secrets }) => secrets.map(Redacted.value))).toEqual(Option.some(["whsec_a"]))
      yield* sites.update(organisationId, site.id, { siteName: "Other" }, { at })
      const { items } = yield* (yield* EventRepository).list(
        organisationId,
        {},
        { after: null, limit: 10, order: "asc" }
      )
      expect(items.map(({ sequence, type }) => [sequence, type])).toEqual([
        [1, "site.created"],
        [2, "webhook.created"],
        [3, "site.updated"]
      ])
    })
  )
})
