import { documentRecords, maximumPendingDocuments, SiteId } from "@solar-sites/core"
import { aDocument } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { expect, it } from "vitest"
import { aNewSite, caller, makeSetup, uploadsOf, webBinding } from "./Setup.ts"

it("limits pending documents per organisation, independently of other organisations", async () => {
  const setup = await makeSetup()
  const binding = webBinding(setup.ports)
  const [sunfield, moonfield] = [await setup.join("Sunfield"), await setup.join("Moonfield")]
  const [send, other] = [caller(binding, sunfield.key), caller(binding, moonfield.key)]
  const { id } = (await send("POST /api/sites", { body: aNewSite })).json
  const { organisationId } = sunfield.caller
  const siteId = SiteId.make(id)
  const pending = Array.from({ length: maximumPendingDocuments - 1 }, () => aDocument({ organisationId, siteId }))
  await setup.run(
    Effect.flatMap(documentRecords, ({ insertMany }) =>
      insertMany(organisationId, siteId, pending, DateTime.makeUnsafe("2400-01-01T00:00:00Z"))
    )
  )

  const refused = await send("POST /api/docs/bulk-upload-url", { body: uploadsOf(id, "a.txt", "b.txt") })
  expect([refused.status, refused.json.code]).toEqual([429, "too_many_pending"])
  expect(refused.json.detail).toBe(
    "An organisation has at most 10000 pending documents; send files, or wait until addresses have lapsed."
  )
  expect(refused.headers.get("retry-after")).toBe("60")
  const one = await send("POST /api/docs/bulk-upload-url", { body: uploadsOf(id, "a.txt") })
  expect([one.status, one.json.summary.successful]).toEqual([200, 1])
  const site = (await other("POST /api/sites", { body: aNewSite })).json.id
  expect((await other("POST /api/docs/bulk-upload-url", { body: uploadsOf(site, "a.txt") })).status).toBe(200)
  await binding.close()
  await setup.close()
})
