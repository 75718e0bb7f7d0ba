import { SolarSitesNetworkError, SolarSitesProblem } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { faultOf } from "../../src/uploads/Upload.ts"
import { uploadFaultText } from "../../src/uploads/uploadFaultText.ts"

const browser = { origin: "https://console.example.com", isOnline: true }
const offline = { ...browser, isOnline: false }
const sent = { what: "PUT", attempts: 1 }
const lostAt = (url: string) => faultOf(new SolarSitesNetworkError(sent), url)

describe("the text of a failed upload", () => {
  it("names a storage of another origin that gives no answer, while the browser is online", () => {
    const elsewhere = lostAt("http://files.example.com/a")
    expect(uploadFaultText(elsewhere, browser)).toMatch(/^No answer from http:\/\/files\.example\.com, where files/)
    expect(uploadFaultText(elsewhere, offline)).toBe("The connection was lost.")
    expect(uploadFaultText(lostAt("https://console.example.com/storage/a"), browser)).toBe("The connection was lost.")
    expect(uploadFaultText(faultOf(new SolarSitesNetworkError(sent)), browser)).toBe("The connection was lost.")
  })

  it("has the reason of a failed document and the code of a refusal", () => {
    const failed = { code: "document_failed", detail: "nothing arrived before the upload address lapsed" }
    expect(uploadFaultText(failed, browser)).toBe(
      "The service has failed the document: nothing arrived before the upload address lapsed."
    )
    expect(uploadFaultText({ ...failed, detail: "" }, browser)).toBe("The service has failed the document.")
    const refusal = { type: "", title: "", status: 400, detail: "text/html is not accepted", requestId: "r" }
    const problem = new SolarSitesProblem({ ...refusal, code: "mime_type_not_allowed" }, sent, null)
    expect(uploadFaultText(faultOf(problem), browser)).toBe("Text/html is not accepted (mime_type_not_allowed)")
    expect(uploadFaultText({ code: "timed_out", detail: "" }, browser)).toBe("The file was not sent in time.")
  })
})
