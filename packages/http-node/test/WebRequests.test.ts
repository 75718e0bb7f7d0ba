import { expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { unknownId, webBinding } from "./Setup.ts"

const { binding, member } = useServer(webBinding)

// Servers that make a web request of Node's own give some a stream even where nothing was sent.
it.each([
  ["nothing", "", {}, 404, "portfolio_not_found"],
  ["nothing, as JSON", "", { "content-type": "application/json" }, 400, "malformed_json"],
  ["text", "text", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
  ["something of known length", "text", { "content-length": "4" }, 415, "unsupported_media_type"]
])("reads a stream with %s where a body is optional", async (_, text, headers, status, code) => {
  const request = new Request(`${binding().base}/api/portfolios/${unknownId}/sites?siteId=${unknownId}`, {
    method: "DELETE",
    headers: { "x-api-key": member().key, ...headers },
    body: new Blob([text]).stream(),
    duplex: "half"
  })
  const response = await binding().send(request)
  expect([response.status, JSON.parse(await response.text()).code]).toEqual([status, code])
})
