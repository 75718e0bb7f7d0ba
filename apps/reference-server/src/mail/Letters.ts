/**
 * Content of the mails, in plain words. Subjects hold no text of users. A link is a path of the
 * console; the token is in its fragment, which browsers send to no server.
 */

import { Redacted } from "effect"
import { invitationDays, linkHours } from "../accounts/AccountPolicy.ts"
import type { SessionToken } from "../accounts/sessions/SessionToken.ts"
import type { Mail } from "./SmtpTransport.ts"

export interface Letter {
  readonly subject: string
  /** Name of the recipient, if known. */
  readonly name: string | null
  readonly before: ReadonlyArray<string>
  readonly link?: { readonly label: string; readonly path: string }
  readonly after?: ReadonlyArray<string>
}

/** Path of the page that uses a link. */
export const linkPath = (page: "invitation" | "reset" | "email", token: SessionToken): string =>
  `/${page}#${Redacted.value(token)}`

const hours = (count: number): string => (count === 1 ? "an hour" : `${count} hours`)

interface Invitation {
  readonly name: string | null
  readonly inviter: string
  readonly organisation: string
}

export const invitation = ({ inviter, name, organisation }: Invitation, token: SessionToken): Letter => ({
  subject: "Your invitation to Solar Sites",
  name,
  before: [`${inviter} invites you to the organisation ${organisation} on Solar Sites.`],
  link: { label: "Accept the invitation", path: linkPath("invitation", token) },
  after: [
    `The link works once, within ${invitationDays} days. Without your consent nothing happens; you can ignore this mail.`
  ]
})

/** To an address with a user in another organisation. */
export const invitationOfUser = ({ inviter, name, organisation }: Invitation): Letter => ({
  subject: "Your invitation to Solar Sites",
  name,
  before: [
    `${inviter} invites you to the organisation ${organisation} on Solar Sites.`,
    "Your e-mail address has an account in another organisation already, and an account belongs to one organisation. So this invitation cannot be accepted with this address. Ask for an invitation to another address of yours."
  ]
})

export const passwordReset = (name: string, token: SessionToken): Letter => ({
  subject: "Set a new password for Solar Sites",
  name,
  before: ["A new password was requested for your account on Solar Sites."],
  link: { label: "Set a new password", path: linkPath("reset", token) },
  after: [
    `The link works once, within ${hours(linkHours.reset)}. If you did not ask for it, ignore this mail; your password stays.`
  ]
})

export const passwordChanged = (name: string): Letter => ({
  subject: "Your password for Solar Sites was changed",
  name,
  before: [
    "The password of your account on Solar Sites was changed, and all other sessions have ended.",
    "If it was not you, ask for a new password on the login page at once, and tell the owner of your organisation."
  ]
})

export const secondFactorChanged = (name: string, isEnabled: boolean): Letter => ({
  subject: "The second factor of your account on Solar Sites was changed",
  name,
  before: [
    `The second factor of your account on Solar Sites was switched ${isEnabled ? "on" : "off"}, and all other sessions have ended.`,
    "If it was not you, tell the owner of your organisation at once."
  ]
})

/** By an owner or admin. */
export const secondFactorRemoved = (name: string): Letter => ({
  subject: "The second factor of your account on Solar Sites was removed",
  name,
  before: [
    "An administrator of your organisation has removed the second factor of your account on Solar Sites, and all sessions have ended.",
    "If you did not ask for it, tell the owner of your organisation at once."
  ]
})

export const emailConfirmation = (name: string, token: SessionToken): Letter => ({
  subject: "Confirm your e-mail address for Solar Sites",
  name,
  before: ["This address was given as the new e-mail address of an account on Solar Sites."],
  link: { label: "Confirm this address", path: linkPath("email", token) },
  after: [
    `The link works once, within ${hours(linkHours.email)}. If you did not ask for it, ignore this mail; nothing changes.`
  ]
})

/** To the old address. */
export const emailChanged = (name: string): Letter => ({
  subject: "Your e-mail address for Solar Sites was changed",
  name,
  before: [
    "Your account on Solar Sites has a new e-mail address. This one no longer logs in.",
    "If it was not you, tell the owner of your organisation at once."
  ]
})

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? "")

/** A letter as text and HTML. `base` is the address of the console. */
export const toMail = (to: string, base: string, { after = [], before, link, name, subject }: Letter): Mail => {
  const greeting = name === null ? "Hello," : `Hello ${name},`
  const address = link === undefined ? "" : `${base}${link.path}`
  const paragraphs = (lines: ReadonlyArray<string>) => lines.map((line) => `<p>${escaped(line)}</p>`)
  return {
    to,
    subject,
    text: `${[greeting, ...before, ...(link === undefined ? [] : [`${link.label}:\n${address}`]), ...after].join("\n\n")}\n`,
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">',
      ...paragraphs([greeting, ...before]),
      ...(link === undefined ? [] : [`<p><a href="${escaped(address)}">${escaped(link.label)}</a></p>`]),
      ...paragraphs(after),
      "</body></html>"
    ].join("\n")
  }
}
