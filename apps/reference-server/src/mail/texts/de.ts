/** Texts of the mails in German. */
import { invitationDays, linkHours } from "../../accounts/AccountPolicy.ts"
import { germanDigest } from "./deDigest.ts"
import type { Invitation, MailTexts } from "./en.ts"

const hours = (count: number): string => (count === 1 ? "einer Stunde" : `${count} Stunden`)

const invites = ({ inviter, organisation }: Invitation): string =>
  `${inviter} lädt Sie zur Organisation ${organisation} auf Solar Sites ein.`

const tellTheOwner = "Wenn Sie das nicht waren, wenden Sie sich sofort an einen Inhaber Ihrer Organisation."

export const german: MailTexts = {
  language: "de",
  digest: germanDigest,
  greeting: (name) => (name === null ? "Guten Tag," : `Guten Tag ${name},`),
  invitation: (invitation) => ({
    subject: "Ihre Einladung zu Solar Sites",
    before: [invites(invitation)],
    link: "Einladung annehmen",
    after: [
      `Der Link gilt einmal, innerhalb von ${invitationDays} Tagen. Ohne Ihre Zustimmung geschieht nichts; Sie können diese E-Mail ignorieren.`
    ]
  }),
  invitationOfUser: (invitation) => ({
    subject: "Ihre Einladung zu Solar Sites",
    before: [
      invites(invitation),
      "Zu Ihrer E-Mail-Adresse gibt es schon ein Konto in einer anderen Organisation, und ein Konto gehört zu einer Organisation. Diese Einladung lässt sich deshalb mit dieser Adresse nicht annehmen. Bitten Sie um eine Einladung an eine andere Adresse von Ihnen."
    ]
  }),
  passwordReset: {
    subject: "Neues Passwort für Solar Sites festlegen",
    before: ["Für Ihr Konto auf Solar Sites wurde ein neues Passwort angefordert."],
    link: "Neues Passwort festlegen",
    after: [
      `Der Link gilt einmal, innerhalb von ${hours(linkHours.reset)}. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail; Ihr Passwort bleibt.`
    ]
  },
  passwordChanged: {
    subject: "Ihr Passwort für Solar Sites wurde geändert",
    before: [
      "Das Passwort Ihres Kontos auf Solar Sites wurde geändert, und alle anderen Sitzungen wurden beendet.",
      "Wenn Sie das nicht waren, fordern Sie auf der Anmeldeseite sofort ein neues Passwort an, und wenden Sie sich an einen Inhaber Ihrer Organisation."
    ]
  },
  secondFactorChanged: (isEnabled) => ({
    subject: "Der zweite Faktor Ihres Kontos auf Solar Sites wurde geändert",
    before: [
      `Der zweite Faktor Ihres Kontos auf Solar Sites wurde ${isEnabled ? "eingeschaltet" : "ausgeschaltet"}, und alle anderen Sitzungen wurden beendet.`,
      tellTheOwner
    ]
  }),
  secondFactorRemoved: {
    subject: "Der zweite Faktor Ihres Kontos auf Solar Sites wurde entfernt",
    before: [
      "Ein Administrator Ihrer Organisation hat den zweiten Faktor Ihres Kontos auf Solar Sites entfernt, und alle Sitzungen wurden beendet.",
      "Wenn Sie nicht darum gebeten haben, wenden Sie sich sofort an einen Inhaber Ihrer Organisation."
    ]
  },
  emailConfirmation: {
    subject: "Bestätigen Sie Ihre E-Mail-Adresse für Solar Sites",
    before: ["Diese Adresse wurde als neue E-Mail-Adresse eines Kontos auf Solar Sites angegeben."],
    link: "Diese Adresse bestätigen",
    after: [
      `Der Link gilt einmal, innerhalb von ${hours(linkHours.email)}. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail; es ändert sich nichts.`
    ]
  },
  emailChanged: {
    subject: "Ihre E-Mail-Adresse für Solar Sites wurde geändert",
    before: [
      "Ihr Konto auf Solar Sites hat eine neue E-Mail-Adresse. Mit dieser können Sie sich nicht mehr anmelden.",
      tellTheOwner
    ]
  }
}
