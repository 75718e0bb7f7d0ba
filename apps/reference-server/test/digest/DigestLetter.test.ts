import { CalendarDate, DocumentId, type ExpiryItem, PortfolioId, SiteId } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import { digestMail } from "../../src/digest/DigestLetter.ts"

const idOf = (number: number): string => `01a24f31-e640-7000-8000-${String(number).padStart(12, "0")}`
const base = "https://solar.example.com"

const item = (overrides: Partial<ExpiryItem> = {}): ExpiryItem => ({
  siteId: SiteId.make(idOf(1)),
  siteName: "Long Meadow",
  portfolioId: PortfolioId.make(idOf(2)),
  portfolioName: "North",
  documentType: "insurance",
  state: "expired",
  documentId: DocumentId.make(idOf(3)),
  validUntil: CalendarDate.make("2026-11-02"),
  ...overrides
})

const mailOf = (items: ReadonlyArray<ExpiryItem>, rest = 0, choice: "daily" | "weekly" = "weekly", language = "en") =>
  digestMail({
    base,
    digest: { email: "ada@example.com", name: "Ada", choice },
    language,
    page: { items, rest },
    token: "token"
  })

const none = { portfolioId: null, portfolioName: null }

describe("the mail of a digest", () => {
  it("has a section per portfolio, with sites without one last", () => {
    const { subject, text } = mailOf([
      item(),
      item({ ...none, documentType: null, siteName: "Hill" }),
      item({ state: "expiring", documentType: "om_contract", validUntil: CalendarDate.make("2026-12-24") }),
      item({ ...none, state: "missing", documentType: "epc", validUntil: null, documentId: null })
    ])
    expect(subject).toBe("4 documents need attention on Solar Sites")
    const address = `${base}/sites/${idOf(1)}/coverage`
    expect(text).toBe(`Hello Ada,

4 documents need attention today.

North

- Expired on 2 Nov 2026: Insurance, Long Meadow
  ${address}
- Expires on 24 Dec 2026: O&M contract, Long Meadow
  ${address}

Without a portfolio

- Expired on 2 Nov 2026: Document, Hill
  ${address}
- Missing: EPC, Long Meadow
  ${address}

You receive this mail every Monday on which there is something to do.

Change how often in My account:
${base}/account

Stop these mails:
${base}/digest/unsubscribe?token=token
`)
  })

  it("says how many documents it leaves out", () => {
    const { html, subject, text } = mailOf([item()], 17, "daily")
    expect(subject).toBe("18 documents need attention on Solar Sites")
    expect(text).toContain(`\n\nand 17 more:\n${base}/coverage\n`)
    expect(text).toContain("every day")
    expect(html).toContain(`<a href="${base}/coverage">and 17 more</a>`)
    expect(mailOf([item()]).subject).toBe("1 document needs attention on Solar Sites")
    expect(mailOf([item()]).text).not.toContain("more")
  })

  it("has no markup of names", () => {
    const { html } = mailOf([item({ siteName: '<b>"Hill"</b>', portfolioName: "<i>A & B</i>" })])
    expect(html).toContain("&lt;b&gt;&quot;Hill&quot;&lt;/b&gt;")
    expect(html).toContain("&lt;i&gt;A &amp; B&lt;/i&gt;")
    expect(html).toContain('<td class="expired">Expired on 2&nbsp;Nov&nbsp;2026</td>')
    expect(html).toContain(`<a href="${base}/sites/${idOf(1)}/coverage">Insurance</a>`)
  })

  it("is in the language of the user, and in English without a catalogue of it", () => {
    const items = [item(), item({ state: "missing", documentType: "epc", validUntil: null, documentId: null })]
    const { html, subject, text } = mailOf(items, 1, "daily", "de")
    expect(subject).toBe("3 Dokumente brauchen Aufmerksamkeit auf Solar Sites")
    expect(text).toContain(`Guten Tag Ada,

3 Dokumente brauchen heute Aufmerksamkeit.

North

- Abgelaufen am 02.11.2026: Versicherung, Long Meadow
  ${base}/sites/${idOf(1)}/coverage
- Fehlt: EPC-Vertrag, Long Meadow
`)
    expect(text).toContain("und 1 weiteres:")
    expect(html).toContain('<html lang="de">')
    expect(mailOf(items, 0, "daily", "xx").text).toBe(mailOf(items).text.replace("every Monday", "every day"))
  })

  it("offers to end the digest with one click", () => {
    expect(mailOf([item()]).headers).toEqual({
      "List-Unsubscribe": `<${base}/digest/unsubscribe?token=token>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
    })
  })
})
