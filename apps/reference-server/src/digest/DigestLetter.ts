/** The digest as a mail. Subjects hold no text of users. */
import {
  type DocumentType,
  type ExpiryItem,
  type ExpiryPage,
  type ExpirySection,
  expirySections
} from "@solar-sites/core"
import { escaped } from "../mail/Letters.ts"
import type { Mail } from "../mail/SmtpTransport.ts"
import type { ClaimedDigest } from "./DigestStore.ts"

/** Documents that a digest names. */
export const maximumLines = 50

/** The path of the page that ends the digests. */
export const unsubscribePath = "/digest/unsubscribe"

const documentTypes: Readonly<Record<DocumentType, string>> = {
  ppa: "PPA",
  mcs_certificate: "MCS certificate",
  string_layout: "String layout",
  om_ticket: "O&M ticket",
  invoice: "Invoice",
  equipment_register: "Equipment register",
  warranty_information: "Warranty information",
  handover_document: "Handover document",
  ppm: "PPM",
  epc: "EPC",
  finance_agreements: "Finance agreements",
  insurance: "Insurance",
  land_lease: "Land lease",
  om_contract: "O&M contract",
  spare_parts: "Spare parts",
  other: "Other"
}

const dates = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" })

/** A document as words. */
const lineOf = ({ documentType, siteId, siteName, state, validUntil }: ExpiryItem, base: string) => {
  const date = validUntil === null ? "" : dates.format(Date.parse(validUntil))
  const states = { expired: `Expired on ${date}`, expiring: `Expires on ${date}`, missing: "Missing" }
  return {
    document: documentType === null ? "Document" : documentTypes[documentType],
    site: siteName,
    state: states[state],
    isExpired: state === "expired",
    address: `${base}/sites/${siteId}/coverage`
  }
}

const titleOf = ({ portfolioName }: ExpirySection): string => portfolioName ?? "Without a portfolio"

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

const style = `:root{color-scheme:light dark}
body{margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif;max-width:640px}
h2{font-size:16px;margin:24px 0 4px;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}
td{border-top:1px solid #8888;padding:8px 0;vertical-align:top;overflow-wrap:anywhere}
td+td{text-align:right;padding-left:12px;width:7.5em;overflow-wrap:normal}
.expired{color:#c92a2a;font-weight:600}
.small{font-size:14px}
a{color:#1864ab}
@media(prefers-color-scheme:dark){.expired{color:#ff8787}a{color:#74c0fc}}`

export interface DigestContent {
  /** Address of the console. */
  readonly base: string
  readonly digest: Pick<ClaimedDigest, "email" | "name" | "choice">
  readonly page: ExpiryPage
  readonly token: string
}

const partsOf = ({ base, digest: { choice, name }, page, token }: DigestContent) => {
  const total = page.items.length + page.rest
  return {
    greeting: `Hello ${name},`,
    intro: `${count(total, "document needs", "documents need")} attention today.`,
    more: page.rest === 0 ? null : `and ${page.rest} more`,
    moreAddress: `${base}/coverage`,
    reason: `You receive this mail ${choice === "daily" ? "every day" : "every Monday"} on which there is something to do.`,
    change: "Change how often in My account",
    changeAddress: `${base}/account`,
    end: "Stop these mails",
    endAddress: `${base}${unsubscribePath}?token=${token}`
  }
}

const textOf = (content: DigestContent, sections: ReadonlyArray<ExpirySection>): string => {
  const { change, changeAddress, end, endAddress, greeting, intro, more, moreAddress, reason } = partsOf(content)
  const blocks = sections.map((section) => {
    const lines = section.items.map((item) => {
      const { address, document, site, state } = lineOf(item, content.base)
      return `- ${state}: ${document}, ${site}\n  ${address}`
    })
    return `${titleOf(section)}\n\n${lines.join("\n")}`
  })
  const rest = more === null ? [] : [`${more}:\n${moreAddress}`]
  return `${[greeting, intro, ...blocks, ...rest, reason, `${change}:\n${changeAddress}`, `${end}:\n${endAddress}`].join("\n\n")}\n`
}

const link = (address: string, label: string): string => `<a href="${escaped(address)}">${escaped(label)}</a>`

const htmlOf = (content: DigestContent, sections: ReadonlyArray<ExpirySection>): string => {
  const { change, changeAddress, end, endAddress, greeting, intro, more, moreAddress, reason } = partsOf(content)
  const row = (item: ExpiryItem): string => {
    const { address, document, isExpired, site, state: words } = lineOf(item, content.base)
    // No line ends within a date.
    const state = words.replace(/\d{1,2} \w{1,10} \d{4}$/, (date) => date.replaceAll(" ", "&nbsp;"))
    const stateCell = isExpired ? `<td class="expired">${state}</td>` : `<td>${state}</td>`
    return `<tr><td>${link(address, document)}<br>${escaped(site)}</td>${stateCell}</tr>`
  }
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<style>${style}</style></head><body>`,
    `<p>${escaped(greeting)}</p><p>${intro}</p>`,
    ...sections.flatMap((section) => [
      `<h2>${escaped(titleOf(section))}</h2>`,
      `<table>${section.items.map(row).join("\n")}</table>`
    ]),
    ...(more === null ? [] : [`<p>${link(moreAddress, more)}</p>`]),
    `<p class="small">${reason}<br>${link(changeAddress, change)} · ${link(endAddress, end)}</p>`,
    "</body></html>"
  ].join("\n")
}

/** The digest for one user. Mail programs offer to end it with one click (RFC 8058). */
export const digestMail = (content: DigestContent): Mail => {
  const sections = expirySections(content.page.items)
  const total = content.page.items.length + content.page.rest
  return {
    to: content.digest.email,
    subject: `${count(total, "document needs", "documents need")} attention on Solar Sites`,
    text: textOf(content, sections),
    html: htmlOf(content, sections),
    headers: {
      "List-Unsubscribe": `<${partsOf(content).endAddress}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
    }
  }
}
