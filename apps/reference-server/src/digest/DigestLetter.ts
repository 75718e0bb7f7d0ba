/** The digest as a mail. Subjects hold no text of users. */
import { type ExpiryItem, type ExpiryPage, type ExpirySection, expirySections } from "@solar-sites/core"
import { escaped } from "../mail/Letters.ts"
import type { Mail } from "../mail/SmtpTransport.ts"
import type { MailTexts } from "../mail/texts/en.ts"
import { mailTextsIn } from "../mail/texts/languages.ts"
import type { ClaimedDigest } from "./DigestStore.ts"

/** Documents that a digest names. */
export const maximumLines = 50

/** The path of the page that ends the digests. */
export const unsubscribePath = "/digest/unsubscribe"

/** A document as words. `space` stands within a date. */
const lineOf = (item: ExpiryItem, base: string, { digest }: MailTexts, space = " ") => {
  const { documentType, siteId, siteName, state, validUntil } = item
  const { document, documentTypes, locale, states } = digest
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" })
  const date = validUntil === null ? "" : dates.format(Date.parse(validUntil)).replaceAll(" ", space)
  return {
    document: documentType === null ? document : documentTypes[documentType],
    site: siteName,
    state: state === "missing" ? states.missing : states[state](date),
    isExpired: state === "expired",
    address: `${base}/sites/${siteId}/coverage`
  }
}

const titleOf = ({ portfolioName }: ExpirySection, { digest }: MailTexts): string =>
  portfolioName ?? digest.withoutPortfolio

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
  readonly language: string
  readonly page: ExpiryPage
  readonly token: string
}

const partsOf = ({ base, digest: { choice, name }, page, token }: DigestContent, { digest, greeting }: MailTexts) => ({
  greeting: greeting(name),
  intro: digest.intro(page.items.length + page.rest),
  more: page.rest === 0 ? null : digest.more(page.rest),
  moreAddress: `${base}/coverage`,
  reason: digest.reason[choice],
  change: digest.change,
  changeAddress: `${base}/account`,
  end: digest.end,
  endAddress: `${base}${unsubscribePath}?token=${token}`
})

type Sections = ReadonlyArray<ExpirySection>

const textOf = (content: DigestContent, sections: Sections, texts: MailTexts): string => {
  const { change, changeAddress, end, endAddress, greeting, intro, more, moreAddress, reason } = partsOf(content, texts)
  const blocks = sections.map((section) => {
    const lines = section.items.map((item) => {
      const { address, document, site, state } = lineOf(item, content.base, texts)
      return `- ${state}: ${document}, ${site}\n  ${address}`
    })
    return `${titleOf(section, texts)}\n\n${lines.join("\n")}`
  })
  const rest = more === null ? [] : [`${more}:\n${moreAddress}`]
  return `${[greeting, intro, ...blocks, ...rest, reason, `${change}:\n${changeAddress}`, `${end}:\n${endAddress}`].join("\n\n")}\n`
}

const link = (address: string, label: string): string => `<a href="${escaped(address)}">${escaped(label)}</a>`

const htmlOf = (content: DigestContent, sections: Sections, texts: MailTexts): string => {
  const { change, changeAddress, end, endAddress, greeting, intro, more, moreAddress, reason } = partsOf(content, texts)
  const row = (item: ExpiryItem): string => {
    // No line ends within a date.
    const { address, document, isExpired, site, state } = lineOf(item, content.base, texts, "&nbsp;")
    const stateCell = isExpired ? `<td class="expired">${state}</td>` : `<td>${state}</td>`
    return `<tr><td>${link(address, document)}<br>${escaped(site)}</td>${stateCell}</tr>`
  }
  return [
    `<!doctype html><html lang="${texts.language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<style>${style}</style></head><body>`,
    `<p>${escaped(greeting)}</p><p>${intro}</p>`,
    ...sections.flatMap((section) => [
      `<h2>${escaped(titleOf(section, texts))}</h2>`,
      `<table>${section.items.map(row).join("\n")}</table>`
    ]),
    ...(more === null ? [] : [`<p>${link(moreAddress, more)}</p>`]),
    `<p class="small">${reason}<br>${link(changeAddress, change)} · ${link(endAddress, end)}</p>`,
    "</body></html>"
  ].join("\n")
}

/** The digest for one user. Mail programs offer to end it with one click (RFC 8058). */
export const digestMail = (content: DigestContent): Mail => {
  const { digest, language, page } = content
  const texts = mailTextsIn(language)
  const sections = expirySections(page.items)
  return {
    to: digest.email,
    subject: texts.digest.subject(page.items.length + page.rest),
    text: textOf(content, sections, texts),
    html: htmlOf(content, sections, texts),
    headers: {
      "List-Unsubscribe": `<${partsOf(content, texts).endAddress}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
    }
  }
}
