/**
 * Shared requests: clients that disconnect.
 */
import { request } from "node:http"
import { expect, it } from "vitest"
import type { Mounted, Send } from "./Calls.ts"

/** Sends part of a body, then disconnects. */
const abandonBody = ({ base, credentials }: Mounted): Promise<void> =>
  new Promise((resolve) => {
    const headers = { ...credentials, "content-type": "application/json", "content-length": "1000" }
    const sending = request(`${base}/api/sites`, { method: "POST", headers })
    sending.on("error", () => {}).on("close", resolve)
    sending.write('{ "siteName": "Abandoned",', () => sending.destroy())
  })

/** Disconnects when the answer begins. */
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
  it("stores nothing of an aborted request, and continues", async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      await abandonBody(mounted())
      await abandonAnswer(mounted())
    }
    const { json, status } = await send("GET /api/sites")
    expect(status).toBe(200)
    expect(json.data.filter(({ siteName }: { siteName: string }) => siteName === "Abandoned")).toEqual([])
  })
}
