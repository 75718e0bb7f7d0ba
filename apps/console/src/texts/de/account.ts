/** The own account: name, e-mail, password, sessions and second factor. */
import type * as english from "../en/account.ts"
import type { Translated } from "../Translated.ts"

export const accountTexts: Translated<typeof english.accountTexts> = {
  title: "Mein Konto",
  code: "Code",
  newPassword: "Neues Passwort",
  newPasswordHint: (minimum) => `Mindestens ${minimum} Zeichen`,
  passwordMissing: "Geben Sie ein Passwort ein",
  name: "Name",
  nameMissing: "Geben Sie einen Namen ein",
  currentPassword: "Aktuelles Passwort",
  role: (organisation, role, description) => `${role} bei ${organisation}. ${description}`,
  profile: "Profil",
  logins: "Letzte Anmeldungen und Änderungen",
  language: "Sprache",
  languageHint: "Gilt für diesen Browser. Die Seite wird neu geladen.",
  languageOfBrowser: "Wie im Browser",
  notation: "Zahlen und Datumsangaben",
  notationOfBrowser: "Wie im Browser",
  notationOfLanguage: "Wie die Sprache",
  notationExample: (number, date) => `Zum Beispiel ${number} und ${date}. Gilt für diesen Browser.`,
  keys: "Tastenkürzel",
  keysOn: "Kürzel aus einer Taste verwenden",
  keysHint: "Zum Beispiel G, J oder ?. Kürzel mit Strg gelten immer. Gilt für diesen Browser.",
  save: "Speichern",
  saved: "Ihr Name wurde gespeichert.",
  notSaved: "Das wurde nicht gespeichert",
  changeEmail: "E-Mail-Adresse ändern …",
  noPassword: "Sie melden sich beim Anbieter Ihrer Organisation an. Dort liegen Passwort und E-Mail-Adresse.",
  emailDialog: {
    title: "E-Mail-Adresse ändern",
    email: "Neue E-Mail-Adresse",
    explanation: "Wir senden einen Link an die neue Adresse. Die Änderung gilt, sobald Sie den Link geöffnet haben.",
    submit: "Link senden",
    done: (email) => `Falls ${email} noch frei ist, ist eine E-Mail mit einem Link unterwegs.`
  },
  changePassword: "Passwort ändern …",
  passwordDialog: {
    title: "Passwort ändern",
    explanation: "Ihre anderen Sitzungen werden beendet.",
    submit: "Passwort ändern",
    done: "Ihr Passwort wurde geändert. Ihre anderen Sitzungen wurden beendet."
  }
}

export const digestTexts: Translated<typeof english.digestTexts> = {
  title: "E-Mails zu Dokumenten",
  explanation:
    "Eine E-Mail nennt die Dokumente, die abgelaufen sind, ablaufen oder fehlen. Gibt es keine, wird keine E-Mail gesendet.",
  choice: "Wie oft",
  choices: { weekly: "Jeden Montag", daily: "Jeden Tag", none: "Nie" },
  time: (time, timeZone) => `Um ${time} Uhr (${timeZone}). Eine Änderung gilt ab dem nächsten Mal.`,
  saved: "Ihre Wahl wurde gespeichert.",
  notSaved: "Ihre Wahl wurde nicht gespeichert"
}

export const sessionTexts: Translated<typeof english.sessionTexts> = {
  title: "Sitzungen",
  list: "Sitzungen",
  current: "Diese",
  columns: { device: "Browser", createdAt: "Angemeldet", lastUsedAt: "Zuletzt verwendet" },
  methods: { password: "mit Passwort", oidc: "beim Anbieter", link: "über eine Einladung" },
  unknownDevice: "Unbekannter Browser",
  end: "Beenden",
  endNamed: (device) => `Sitzung beenden: ${device}`,
  ended: "Die Sitzung wurde beendet.",
  endOthers: "Alle anderen beenden …",
  endOthersDialog: {
    title: "Alle anderen Sitzungen beenden?",
    explanation: "Sie werden in allen anderen Browsern abgemeldet.",
    submit: "Sitzungen beenden",
    done: "Ihre anderen Sitzungen wurden beendet."
  },
  failed: "Die Sitzung wurde nicht beendet"
}

export const factorTexts: Translated<typeof english.factorTexts> = {
  title: "Zweiter Faktor",
  explanation:
    "Mit einem zweiten Faktor fragt die Anmeldung nach dem Passwort noch nach einem Code aus einer Authenticator-App. Ein gestohlenes Passwort allein nützt dann nichts.",
  off: "Ausgeschaltet.",
  on: (since, codesLeft) =>
    `Eingeschaltet seit ${since}. Noch ${codesLeft} von 10 Wiederherstellungscodes sind unverbraucht.`,
  required: "Ihre Organisation verlangt ihn; er lässt sich deshalb nicht ausschalten.",
  setUp: "Einrichten …",
  renew: "Neue Wiederherstellungscodes …",
  disable: "Ausschalten …",
  demandedTitle: "Zweiten Faktor einrichten",
  demanded: (organisation) =>
    `${organisation} verlangt einen zweiten Faktor. Richten Sie ihn ein, um fortzufahren. Sie brauchen dazu eine Authenticator-App auf dem Telefon oder am Computer.`,
  setUpDialog: "Zweiten Faktor einrichten",
  next: "Weiter",
  failed: "Der zweite Faktor wurde nicht eingerichtet",
  passwordHint: "Bestätigen Sie, dass Sie es sind",
  scan: "Scannen Sie dieses Bild mit einer Authenticator-App, oder geben Sie dort den Schlüssel ein. Geben Sie dann hier den Code ein, den die App anzeigt.",
  qrCode: "QR-Code des Schlüssels",
  key: "Schlüssel",
  enable: "Einschalten",
  codeMissing: "Geben Sie den Code aus der App ein",
  recovery: {
    title: "Wiederherstellungscodes",
    warning:
      "Jeder dieser Codes ersetzt die App einmal, zum Beispiel wenn Sie Ihr Telefon verloren haben. Sie werden nur jetzt angezeigt. Bewahren Sie sie sicher auf.",
    list: "Wiederherstellungscodes",
    fileName: "solar-sites-wiederherstellungscodes.txt",
    stored: "Ich habe die Codes sicher aufbewahrt",
    held: "Hier stehen noch Codes, die nicht noch einmal angezeigt werden. Bewahren Sie sie auf, und schließen Sie dann mit „Fertig“."
  },
  renewDialog: {
    title: "Neue Wiederherstellungscodes",
    explanation: "Die bisherigen Wiederherstellungscodes gelten dann nicht mehr.",
    submit: "Neue Codes erzeugen"
  },
  disableDialog: {
    title: "Zweiten Faktor ausschalten?",
    explanation: "Zum Anmelden genügt dann das Passwort. Ihre anderen Sitzungen werden beendet.",
    submit: "Ausschalten",
    done: "Der zweite Faktor ist ausgeschaltet."
  }
}
