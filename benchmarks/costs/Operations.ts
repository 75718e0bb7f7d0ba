/**
 * The measured operations, each as requests of one organisation, and their shares in the mixed load.
 */
import { Agent, request } from "node:http"
import { text } from "node:stream/consumers"

export interface Organisation {
  readonly key: string
  readonly siteIds: ReadonlyArray<string>
}

/** Sends a request and returns the parsed response. Rejects with another status than 200 to 299. */
export type Send = (method: string, path: string, key: string, body?: unknown) => Promise<unknown>

interface Operation {
  readonly title: string
  /** Share of the mixed load, in percent. */
  readonly share: number
  readonly run: (send: Send, organisation: Organisation, n: number) => Promise<unknown>
}

const siteOf = ({ siteIds }: Organisation, n: number) => siteIds[n % siteIds.length] ?? ""

export const newSite = (n: number) => ({
  siteName: `Long Meadow ${n}`,
  address: `${n} Long Meadow Lane, Somewhere`,
  capacity: 1 + (n % 997) / 8,
  unit: "kWp",
  latitude: 48.25,
  longitude: 11.5,
  siteManager: { name: "Manager", email: "manager@example.com" }
})

export const fileSize = 12_345

/** Issues an address and reports the file as sent. The store of the benchmark has every file. */
const upload: Operation["run"] = async (send, organisation, n) => {
  const file = { filename: `report ${n}.pdf`, mimeType: "application/pdf", fileSize, documentType: "invoice" }
  const issue = { siteId: siteOf(organisation, n), fileType: "documents", files: [file] }
  const { results } = Object(await send("POST", "/api/docs/bulk-upload-url", organisation.key, issue))
  await send("PUT", `/api/docs/${results[0].documentId}`, organisation.key, { status: "uploaded" })
}

export const operations: ReadonlyArray<Operation> = [
  { title: "who am I", share: 10, run: (send, { key }) => send("GET", "/api/me", key) },
  { title: "list 50 sites", share: 35, run: (send, { key }) => send("GET", "/api/sites?limit=50", key) },
  { title: "get a site", share: 30, run: (send, own, n) => send("GET", `/api/sites/${siteOf(own, n)}`, own.key) },
  { title: "coverage of 50 sites", share: 5, run: (send, { key }) => send("GET", "/api/coverage?limit=50", key) },
  { title: "50 events", share: 10, run: (send, { key }) => send("GET", "/api/events?limit=50", key) },
  { title: "create a site", share: 2, run: (send, { key }, n) => send("POST", "/api/sites", key, newSite(n)) },
  {
    title: "update a site",
    share: 6,
    run: (send, own, n) => send("PUT", `/api/sites/${siteOf(own, n)}`, own.key, { siteName: `Renamed ${n}` })
  },
  { title: "upload: issue, confirm", share: 2, run: upload }
]

/** An operation of each kind as often as its share says, spread evenly over a hundred. */
export const mixed: Operation = {
  title: "mixed load",
  share: 0,
  run: (send, organisation, n) => {
    // 37 and 100 have no common divisor, so a hundred turns meet each place once.
    const place = (n * 37) % 100
    let shares = 0
    const chosen = operations.find(({ share }) => {
      shares += share
      return place < shares
    })
    return chosen === undefined
      ? Promise.reject(new Error("the shares are not 100 %"))
      : chosen.run(send, organisation, n)
  }
}

/** Requests go to the servers in turn, on persistent connections. */
export const sender = (origins: ReadonlyArray<string>) => {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const send: Send = async (method, path, key, body) => {
    const url = `${origins[turn++ % origins.length]}${path}`
    const headers = { "x-api-key": key, ...(body === undefined ? {} : { "content-type": "application/json" }) }
    return await new Promise((resolve, reject) => {
      const sent = request(url, { method, agent, headers }, (response) => {
        text(response).then((received) => {
          const status = response.statusCode ?? 0
          if (status < 300) resolve(JSON.parse(received))
          else reject(new Error(`${method} ${path}: ${status} ${received.slice(0, 300)}`))
        }, reject)
      })
      sent.once("error", reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }
  return { send, close: () => agent.destroy() }
}
