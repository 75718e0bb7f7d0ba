/**
 * The part of the shared table about clients that go away.
 */
import { request } from "node:http"
import { expect, it } from "vitest"
import type { Mounted, Send } from "./Calls.ts"

/** Begins a body that never ends, and goes once it has left. */
const abandonBody = ({ base, credentials }: Mounted): Promise<void> =>
  new Promise((resolve) => {
    const headers = { ...credentials, "content-type": "application/json", "content-length": "1000" }
    const sending = request(`${base}/api/sites`, { method: "POST", headers })
    sending.on("error", () => {}).on("close", resolve)
    sending.write('{ "siteName": "Abandoned",', () => sending.destroy())
  })

/** Goes as soon as the answer begins. */
const abandonAnswer = ({ base, credentials }: Mounted): Promise<void> =>
  new Promise((resolve, reject) => {
    const receiving = request(`${base}/api/portfolios`, { headers: credentials })
    receiving.on("error", reject)
    receiving.on("response", (response) =>
      response
        .on("close", resolve)
        .on("error", () => {})
        .destroy()
    )
    receiving.end()
  })

export const answersAfterAborts = (mounted: () => Mounted, send: Send): void => {
  it("makes nothing of what is broken off, and goes on", async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      await abandonBody(mounted())
      await abandonAnswer(mounted())
    }
    const { json, status } = await send("GET /api/sites")
    expect(status).toBe(200)
    expect(json.data.filter(({ siteName }: { siteName: string }) => siteName === "Abandoned")).toEqual([])
  })
}
