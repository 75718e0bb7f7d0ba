/** The users of the organisation and invitations. */
import type * as english from "../en/people.ts"
import type { Translated } from "../Translated.ts"

export const peopleTexts: Translated<typeof english.peopleTexts> = {
  title: "Personen",
  description: (organisation) => `Die Benutzer von ${organisation} und was sie jeweils dürfen.`,
  notManager: "Personen verwalten Inhaber und Administratoren.",
  noInvitations: "Neue Personen melden sich beim Anbieter Ihrer Organisation an. Einladungen gibt es deshalb nicht.",
  notOwners: "Administratoren verwalten keine Inhaber.",
  userWithId: (id) => `Benutzer ${id}`,
  table: "Personen",
  columns: {
    name: "Name",
    role: "Rolle",
    secondFactor: "Zweiter Faktor",
    lastLoginAt: "Letzte Anmeldung",
    createdAt: "Seit"
  },
  noLogin: "–",
  you: "Sie",
  on: "Ein",
  off: "Aus",
  actions: (name) => `Aktionen für ${name}`,
  actionsColumn: "Aktionen",
  changeAccess: "Zugang ändern …",
  endSessions: "Sitzungen beenden …",
  resetFactor: "Zweiten Faktor entfernen …",
  remove: "Entfernen …",
  accessDialog: {
    title: (name) => `Zugang von ${name}`,
    role: "Rolle",
    submit: "Zugang ändern",
    done: (name) => `Der Zugang von ${name} wurde geändert.`,
    own: "Sie selbst können die Rolle danach nicht wieder anheben."
  },
  sessionsDialog: {
    title: (name) => `Alle Sitzungen von ${name} beenden?`,
    explanation: "Alle Browser werden abgemeldet. Eine neue Anmeldung ist sofort möglich.",
    submit: "Sitzungen beenden",
    done: (name) => `Alle Sitzungen von ${name} wurden beendet.`
  },
  factorDialog: {
    title: (name) => `Zweiten Faktor von ${name} entfernen?`,
    explanation:
      "Wenn das Telefon verloren ging. Für die nächste Anmeldung genügt das Passwort. Alle Sitzungen werden beendet.",
    submit: "Faktor entfernen",
    done: (name) => `Der zweite Faktor von ${name} wurde entfernt.`
  },
  removeDialog: {
    title: (name) => `${name} entfernen?`,
    explanation:
      "Das Benutzerkonto, alle seine Sitzungen und alle API-Schlüssel, die damit angelegt wurden, enden sofort. Das lässt sich nicht rückgängig machen.",
    submit: "Benutzerkonto entfernen",
    done: (name) => `${name} wurde entfernt.`
  },
  settings: "Einstellungen",
  requireFactor: "Zweiten Faktor verlangen",
  requireFactorHint:
    "Benutzer ohne zweiten Faktor, auch Sie, können nichts anderes tun, bis er eingerichtet ist. Anmeldungen bei einem OpenID-Anbieter betrifft das nicht.",
  requireFactorDone: (isRequired) =>
    isRequired ? "Ein zweiter Faktor wird jetzt verlangt." : "Ein zweiter Faktor wird nicht mehr verlangt."
}

export const invitationTexts: Translated<typeof english.invitationTexts> = {
  title: "Einladungen",
  table: "Offene Einladungen",
  none: "Keine Einladung ist offen.",
  invite: "Einladen",
  columns: { email: "E-Mail", expiresAt: "Gültig bis" },
  notMailed: "nicht versandt",
  mailed: "versandt",
  resend: "Erneut senden",
  resendNamed: (email) => `Erneut senden an ${email}`,
  resent: (email) => `Die Einladung an ${email} ist wieder unterwegs. Der frühere Link gilt nicht mehr.`,
  withdraw: "Zurückziehen",
  withdrawNamed: (email) => `Einladung an ${email} zurückziehen`,
  withdrawDialog: {
    title: (email) => `Einladung an ${email} zurückziehen?`,
    explanation: "Der Link gilt ab sofort nicht mehr.",
    submit: "Einladung zurückziehen",
    done: (email) => `Die Einladung an ${email} wurde zurückgezogen.`
  },
  failed: "Die Einladung wurde nicht gesendet",
  createDialog: {
    title: "Person einladen",
    email: "E-Mail",
    role: "Rolle",
    submit: "Einladung senden",
    sent: (email) => `Die Einladung an ${email} ist unterwegs.`
  },
  linkDialog: {
    title: (email) => `Link für ${email}`,
    warning:
      "Dieser Server versendet keine E-Mails. Geben Sie den Link selbst weiter: Er wird nur jetzt angezeigt und gilt einmal, sieben Tage lang. Wer ihn hat, kann Ihrer Organisation beitreten.",
    label: "Link der Einladung",
    stored: "Ich habe den Link kopiert",
    held: "Hier steht noch ein Link, der nicht noch einmal angezeigt wird. Kopieren Sie ihn, und schließen Sie dann mit „Fertig“."
  }
}
