/**
 * The mails of accounts, in the language of the request that causes them. A link is a path of the
 * console; the token is in its fragment, which browsers send to no server.
 */

import { Redacted } from "effect"
import type { SessionToken } from "../accounts/sessions/SessionToken.ts"
import type { Mail } from "./SmtpTransport.ts"
import type { Invitation, MailTexts, TextsOfLetter } from "./texts/en.ts"

export interface Letter {
  /** Name of the recipient, if known. */
  readonly name: string | null
  readonly textsIn: (texts: MailTexts) => TextsOfLetter
  /** Path of the link, if the texts have a label for one. */
  readonly path?: string
}

/** Path of the page that uses a link. */
export const linkPath = (page: "invitation" | "reset" | "email", token: SessionToken): string =>
  `/${page}#${Redacted.value(token)}`

interface Invited extends Invitation {
  readonly name: string | null
}

export const invitation = (invited: Invited, token: SessionToken): Letter => ({
  name: invited.name,
  textsIn: (texts) => texts.invitation(invited),
  path: linkPath("invitation", token)
})

/** To an address with a user in another organisation. */
export const invitationOfUser = (invited: Invited): Letter => ({
  name: invited.name,
  textsIn: (texts) => texts.invitationOfUser(invited)
})

export const passwordReset = (name: string, token: SessionToken): Letter => ({
  name,
  textsIn: (texts) => texts.passwordReset,
  path: linkPath("reset", token)
})

export const passwordChanged = (name: string): Letter => ({ name, textsIn: (texts) => texts.passwordChanged })

export const secondFactorChanged = (name: string, isEnabled: boolean): Letter => ({
  name,
  textsIn: (texts) => texts.secondFactorChanged(isEnabled)
})

/** By an owner or admin. */
export const secondFactorRemoved = (name: string): Letter => ({ name, textsIn: (texts) => texts.secondFactorRemoved })

export const emailConfirmation = (name: string, token: SessionToken): Letter => ({
  name,
  textsIn: (texts) => texts.emailConfirmation,
  path: linkPath("email", token)
})

/** To the old address. */
export const emailChanged = (name: string): Letter => ({ name, textsIn: (texts) => texts.emailChanged })

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Text in HTML, also in attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? "")

/** A letter as text and HTML. `base` is the address of the console. */
export const toMail = (to: string, base: string, { name, path, textsIn }: Letter, texts: MailTexts): Mail => {
  const { after = [], before, link, subject } = textsIn(texts)
  const greeting = texts.greeting(name)
  const address = path === undefined ? "" : `${base}${path}`
  const paragraphs = (lines: ReadonlyArray<string>) => lines.map((line) => `<p>${escaped(line)}</p>`)
  return {
    to,
    subject,
    text: `${[greeting, ...before, ...(link === undefined ? [] : [`${link}:\n${address}`]), ...after].join("\n\n")}\n`,
    html: [
      `<!doctype html><html lang="${texts.language}"><body style="font-family:sans-serif;line-height:1.5">`,
      ...paragraphs([greeting, ...before]),
      ...(link === undefined ? [] : [`<p><a href="${escaped(address)}">${escaped(link)}</a></p>`]),
      ...paragraphs(after),
      "</body></html>"
    ].join("\n")
  }
}
