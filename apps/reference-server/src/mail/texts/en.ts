/** Texts of the mails in English, in plain words. Subjects hold no text of users. */
import { invitationDays, linkHours } from "../../accounts/AccountPolicy.ts"
import { type DigestTexts, englishDigest } from "./enDigest.ts"

export interface TextsOfLetter {
  readonly subject: string
  readonly before: ReadonlyArray<string>
  /** Label of the link. */
  readonly link?: string
  readonly after?: ReadonlyArray<string>
}

export interface Invitation {
  readonly inviter: string
  readonly organisation: string
}

/** One per language. */
export interface MailTexts {
  /** As a tag of HTML. */
  readonly language: string
  readonly greeting: (name: string | null) => string
  readonly invitation: (invitation: Invitation) => TextsOfLetter
  readonly invitationOfUser: (invitation: Invitation) => TextsOfLetter
  readonly passwordReset: TextsOfLetter
  readonly passwordChanged: TextsOfLetter
  readonly secondFactorChanged: (isEnabled: boolean) => TextsOfLetter
  readonly secondFactorRemoved: TextsOfLetter
  readonly emailConfirmation: TextsOfLetter
  readonly emailChanged: TextsOfLetter
  readonly digest: DigestTexts
}

const hours = (count: number): string => (count === 1 ? "an hour" : `${count} hours`)

const invites = ({ inviter, organisation }: Invitation): string =>
  `${inviter} invites you to the organisation ${organisation} on Solar Sites.`

export const english: MailTexts = {
  language: "en",
  digest: englishDigest,
  greeting: (name) => (name === null ? "Hello," : `Hello ${name},`),
  invitation: (invitation) => ({
    subject: "Your invitation to Solar Sites",
    before: [invites(invitation)],
    link: "Accept the invitation",
    after: [
      `The link works once, within ${invitationDays} days. Without your consent nothing happens; you can ignore this mail.`
    ]
  }),
  invitationOfUser: (invitation) => ({
    subject: "Your invitation to Solar Sites",
    before: [
      invites(invitation),
      "Your e-mail address has an account in another organisation already, and an account belongs to one organisation. So this invitation cannot be accepted with this address. Ask for an invitation to another address of yours."
    ]
  }),
  passwordReset: {
    subject: "Set a new password for Solar Sites",
    before: ["A new password was requested for your account on Solar Sites."],
    link: "Set a new password",
    after: [
      `The link works once, within ${hours(linkHours.reset)}. If you did not ask for it, ignore this mail; your password stays.`
    ]
  },
  passwordChanged: {
    subject: "Your password for Solar Sites was changed",
    before: [
      "The password of your account on Solar Sites was changed, and all other sessions have ended.",
      "If it was not you, ask for a new password on the login page at once, and tell the owner of your organisation."
    ]
  },
  secondFactorChanged: (isEnabled) => ({
    subject: "The second factor of your account on Solar Sites was changed",
    before: [
      `The second factor of your account on Solar Sites was switched ${isEnabled ? "on" : "off"}, and all other sessions have ended.`,
      "If it was not you, tell the owner of your organisation at once."
    ]
  }),
  secondFactorRemoved: {
    subject: "The second factor of your account on Solar Sites was removed",
    before: [
      "An administrator of your organisation has removed the second factor of your account on Solar Sites, and all sessions have ended.",
      "If you did not ask for it, tell the owner of your organisation at once."
    ]
  },
  emailConfirmation: {
    subject: "Confirm your e-mail address for Solar Sites",
    before: ["This address was given as the new e-mail address of an account on Solar Sites."],
    link: "Confirm this address",
    after: [
      `The link works once, within ${hours(linkHours.email)}. If you did not ask for it, ignore this mail; nothing changes.`
    ]
  },
  emailChanged: {
    subject: "Your e-mail address for Solar Sites was changed",
    before: [
      "Your account on Solar Sites has a new e-mail address. This one no longer logs in.",
      "If it was not you, tell the owner of your organisation at once."
    ]
  }
}
