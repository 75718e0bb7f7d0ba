/**
 * An organisation with lists that are worth compressing, and requests without the decoding of `fetch`.
 */
import { type IncomingMessage, request } from "node:http"
import { CurrentCaller, Documents, Portfolios, Sites } from "@solar-sites/core"
import { Effect } from "effect"
import { type Member, makeSetup } from "./Setup.ts"

/** Number of sites: more than one page of a complete list. */
export const count = 1_200

const fill = Effect.fnUntraced(function* ({ caller }: Member) {
  yield* Effect.gen(function* () {
    const sites = yield* Sites
    const [portfolio] = yield* (yield* Portfolios).createMany(
      Array.from({ length: 40 }, (_, index) => ({ name: `Portfolio ${index}` }))
    )
    const bulk = Array.from({ length: count }, (_, index) => ({
      siteName: `Hÿde Lane ${index}`,
      capacity: 1,
      unit: "kW" as const,
      portfolioId: portfolio?.id ?? null
    }))
    for (const site of bulk) yield* sites.create(site)
    const [site] = (yield* sites.list({ limit: 1 })).data
    if (site === undefined) return
    const files = Array.from({ length: 20 }, (_, index) => ({ filename: `${index}.pdf`, mimeType: "application/pdf" }))
    yield* (yield* Documents).issueUploads({ siteId: site.id, fileType: "documents", files })
  }).pipe(Effect.provideService(CurrentCaller, caller))
})

export const filledSetup = async () => {
  const setup = await makeSetup()
  const member = await setup.join("Sunfield")
  await setup.run(fill(member))
  return { setup, member }
}

export interface Sent {
  readonly line: string
  readonly accepted?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly base: string
  readonly key: string
}

export const send = ({ accepted, base, body, headers = {}, key, line }: Sent): Promise<IncomingMessage> => {
  const [method = "", path = ""] = line.split(" ")
  return new Promise((resolve, reject) => {
    request(`${base}${path}`, {
      method,
      headers: {
        "x-api-key": key,
        ...(accepted === undefined ? {} : { "accept-encoding": accepted }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      }
    })
      .once("error", reject)
      .once("response", resolve)
      .end(body === undefined ? undefined : JSON.stringify(body))
  })
}
