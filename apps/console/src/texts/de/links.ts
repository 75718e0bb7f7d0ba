/** Pages that links open: invitations, new passwords and new e-mail addresses. */
import type * as english from "../en/links.ts"
import type { Translated } from "../Translated.ts"
import { roleTexts } from "./roles.ts"

export const linkTexts: Translated<typeof english.linkTexts> = {
  noToken: "Diese Seite braucht den Link aus einer E-Mail oder einer Einladung. Öffnen Sie den Link noch einmal.",
  invalid: "Dieser Link wurde schon verwendet oder ersetzt, oder er ist abgelaufen. Bitten Sie um einen neuen.",
  toLogin: "Zur Anmeldung",
  toConsole: "Zu den Standorten",
  invitation: {
    title: "Einladung",
    explanation: ({ inviter, organisation, role }) =>
      `${inviter} lädt Sie zu ${organisation} ein. Ihre Rolle: ${roleTexts[role].name}. ${roleTexts[role].description}`,
    submit: "Einladung annehmen",
    failed: "Die Einladung wurde nicht angenommen",
    unreadable: "Die Einladung konnte nicht gelesen werden"
  },
  reset: {
    title: "Neues Passwort",
    hint: "Alle Sitzungen Ihres Kontos werden beendet.",
    submit: "Passwort festlegen",
    done: (email) => `Das Passwort von ${email} wurde geändert. Melden Sie sich mit dem neuen an.`,
    failed: "Das Passwort wurde nicht geändert"
  },
  email: {
    title: "Neue E-Mail-Adresse",
    explanation: "Bestätigen Sie, dass Sie sich künftig mit dieser E-Mail-Adresse anmelden möchten.",
    submit: "Adresse bestätigen",
    done: (email) => `Sie melden sich ab jetzt als ${email} an.`,
    failed: "Die Adresse wurde nicht geändert"
  }
}
