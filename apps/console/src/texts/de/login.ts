/** The page for logging in. */
import type * as english from "../en/login.ts"
import type { Translated } from "../Translated.ts"

const problems: Readonly<Record<string, string>> = {
  oidc_denied: "Die Anmeldung wurde beim Anbieter abgebrochen.",
  oidc_expired:
    "Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Fenster begonnen. Melden Sie sich noch einmal an.",
  oidc_failed:
    "Die Antwort des Anbieters war ungültig. Melden Sie sich noch einmal an. Schlägt das wieder fehl, wenden Sie sich an den Betreiber dieses Servers.",
  oidc_not_allowed: "Keine Organisation auf diesem Server nimmt dieses Konto an. Fragen Sie Ihren Administrator.",
  oidc_unavailable: "Der Anbieter antwortet nicht. Versuchen Sie es gleich noch einmal."
}

export const loginTexts: Translated<typeof english.loginTexts> = {
  title: "Anmelden",
  email: "E-Mail",
  password: "Passwort",
  submit: "Anmelden",
  emailMissing: "Geben Sie Ihre E-Mail-Adresse ein",
  passwordMissing: "Geben Sie Ihr Passwort ein",
  show: "Passwort anzeigen",
  ended:
    "Ihre Sitzung ist beendet. Melden Sie sich an, um dort fortzufahren, wo Sie waren. Nichts von dem, was Sie eingegeben haben, ist verloren.",
  reasons: {
    expired: ({ life }) => `Eine Sitzung dauert höchstens ${life} Stunden.`,
    idle: ({ idle }) => `Eine Sitzung endet nach ${idle} Stunden ohne Nutzung.`,
    ended: () =>
      "Sie wurde in einem anderen Fenster, durch ein neues Passwort, einen neuen zweiten Faktor oder von einem Administrator beendet. Nach der Anmeldung zeigt „Mein Konto“, was geschehen ist."
  },
  ends: {
    expired: (at, { life }) => `Sie wurden am ${at} abgemeldet: Eine Sitzung dauert höchstens ${life} Stunden.`,
    idle: (at, { idle }) => `Sie wurden am ${at} abgemeldet: Eine Sitzung endet nach ${idle} Stunden ohne Nutzung.`,
    password: (at) => `Sie wurden abgemeldet, weil Ihr Passwort oder Ihr zweiter Faktor geändert wurde (am ${at}).`,
    removed: (at) =>
      `Ihr Benutzerkonto wurde am ${at} entfernt. Wenden Sie sich an einen Administrator Ihrer Organisation.`,
    ended: (at) =>
      `Sie wurden am ${at} abgemeldet: auf einem anderen Gerät, von einem Administrator oder durch eine Änderung des zweiten Faktors.`
  },
  failed: "Sie sind nicht angemeldet",
  codeHint: "Der aktuelle Code aus Ihrer Authenticator-App oder ein Wiederherstellungscode",
  codeMissing: "Geben Sie den Code ein",
  back: "Zurück",
  provider: (name) => (name === null ? "Mit Ihrer Organisation anmelden" : `Mit ${name} anmelden`),
  or: "oder mit Passwort",
  problemOf: (code) => problems[code] ?? "Die Anmeldung ist fehlgeschlagen. Versuchen Sie es noch einmal.",
  forgotten: "Passwort vergessen?",
  reset: {
    title: "Passwort vergessen?",
    explanation:
      "Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten eine E-Mail mit einem Link, über den Sie ein neues Passwort festlegen.",
    submit: "Link senden",
    sent: (email) =>
      `Falls es ein Benutzerkonto mit der Adresse ${email} gibt, ist eine E-Mail unterwegs. Der Link darin gilt eine Stunde.`,
    noMail: "Keine E-Mail? Sehen Sie im Spam-Ordner nach, oder fragen Sie einen Administrator Ihrer Organisation.",
    failed: "Der Link wurde nicht angefordert",
    toLogin: "Zur Anmeldung"
  }
}
