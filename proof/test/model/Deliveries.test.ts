import { describe, expect, it } from "vitest"
import type { Step } from "../../src/model/Runner.ts"
import { memory } from "../../src/model/targets/InProcess.ts"
import type { Delivery } from "../../src/model/targets/Target.ts"
import { findingOn } from "./Finding.ts"

const steps: ReadonlyArray<Step> = [0, 1].flatMap((organisation): ReadonlyArray<Step> => {
  const who = { organisation, key: 0 }
  return [
    { call: "createWebhook", who, ids: [], body: { url: { "@url": "receiver" }, events: ["site.*"] } },
    { call: "createSite", who, ids: [], body: { siteName: { "@text": "South" }, capacity: 1, unit: "kW" } }
  ]
})

/** What the model says when receivers got `change` of what was sent. */
const finding = async (change: (sent: ReadonlyArray<Delivery>) => ReadonlyArray<Delivery>): Promise<string> => {
  const target = await memory()
  return findingOn({ ...target, deliveries: () => change(target.deliveries?.() ?? []) }, steps)
}

describe("the model of deliveries", () => {
  it("agrees with what receivers get", async () => {
    let sent = 0
    const count = (all: ReadonlyArray<Delivery>) => {
      sent = all.length
      return all
    }
    expect(await finding(count)).toBe("nothing")
    expect(sent).toBe(2)
  })

  it.each<[string, (sent: ReadonlyArray<Delivery>) => ReadonlyArray<Delivery>, string]>([
    ["a lost delivery", (sent) => sent.slice(1), "was not told site.created"],
    [
      "an event of another organisation",
      ([first, second]) => (first && second ? [first, { ...second, url: first.url }] : []),
      "is not signed with a secret of its organisation"
    ],
    [
      "another text than the signed one",
      (sent) => sent.map((one) => ({ ...one, body: `${one.body} ` })),
      "is not signed with a secret of its organisation"
    ]
  ])("notices %s", async (_, change, fault) => {
    expect(await finding(change)).toContain(fault)
  })
})
