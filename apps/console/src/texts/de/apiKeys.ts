/** The API keys of the organisation, under the company profile. */
import type * as english from "../en/apiKeys.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

export const apiKeyTexts: Translated<typeof english.apiKeyTexts> = {
  title: "API-Schlüssel",
  description: (organisation) =>
    `Programme, die für ${organisation} handeln, weisen sich mit einem dieser Schlüssel aus. Seine Berechtigungen legen fest, was gelesen und geändert werden darf.`,
  notManager: "API-Schlüssel verwalten Inhaber und Administratoren.",
  list: "API-Schlüssel",
  create: "Neuer Schlüssel",
  none: "Es gibt noch keine Schlüssel",
  noneYet:
    "Legen Sie für jedes Programm, das die API nutzt, einen eigenen an. So können Sie ihn löschen, ohne die anderen zu stören.",
  name: "Name",
  prefix: "beginnt mit",
  createdAt: "Angelegt",
  lastUsedAt: "Zuletzt verwendet",
  expiresAt: "Läuft ab",
  scopes: (scopes) => `Berechtigungen: ${scopes.join(", ")}`,
  allScopes: "Alle Berechtigungen",
  createdBy: (name) => `von ${name}`,
  replacedBy: "Ersetzt durch",
  developers: "Für Entwickler",
  baseAddress: "Basisadresse",
  example: "Beispiel",
  exampleHint: "Setzen Sie SOLAR_SITES_KEY auf einen Schlüssel. Jede Anfrage sendet ihn im Header x-api-key.",
  exampleCopy: "Befehl",
  reference: "API-Referenz",
  openReference: "Alle Operationen mit ihren Berechtigungen und das OpenAPI-Dokument",
  actions: "Aktionen",
  never: "Nie",
  expired: "Abgelaufen",
  rotate: "Ersetzen",
  rotateNamed: (name) => `Schlüssel „${name}“ ersetzen`,
  delete: "Löschen",
  deleteNamed: (name) => `Schlüssel „${name}“ löschen`,
  createDialog: {
    title: "Neuer API-Schlüssel",
    name: "Name",
    nameHint: "Wofür der Schlüssel ist, zum Beispiel welches Programm ihn verwendet und wo es läuft",
    nameMissing: "Geben Sie einen Namen ein, damit Sie später wissen, wofür der Schlüssel ist",
    life: "Gültig für",
    lifeOf: (count) => (count === 1 ? "1 Tag" : `${formatNumber(count)} Tage`),
    otherLife: "Andere Anzahl von Tagen",
    days: "Tage",
    daysWrong: (maximum) => `Geben Sie eine ganze Zahl von Tagen ein, von 1 bis ${formatNumber(maximum)}`,
    access: "Darf",
    accesses: { all: "Alles", read: "Nur lesen", chosen: "Was Sie auswählen" },
    scopes: "Berechtigungen",
    scopesMissing: "Wählen Sie mindestens eine Berechtigung",
    next: "Weiter",
    back: "Zurück",
    submit: "Schlüssel anlegen",
    confirmTitle: "Diesen Schlüssel anlegen?",
    confirm: (name, until) => `„${name}“ gilt bis ${until}.`,
    confirmPower: (organisation) =>
      `Wer den Schlüssel hat, handelt für ${organisation}. Er wird nur einmal angezeigt, gleich danach. Halten Sie den Ort bereit, an dem Sie ihn aufbewahren.`,
    failed: "Der Schlüssel wurde nicht angelegt"
  },
  revealDialog: {
    created: (name) => `Der Schlüssel „${name}“`,
    warning:
      "Sie sehen den Schlüssel nur dieses eine Mal. Er lässt sich nicht noch einmal anzeigen. Wenn er verloren geht, ersetzen Sie ihn.",
    key: "API-Schlüssel",
    stored: "Ich habe den Schlüssel sicher aufbewahrt",
    held: "Hier steht noch ein Schlüssel, der nicht noch einmal angezeigt wird. Bewahren Sie ihn auf, und schließen Sie dann mit „Fertig“."
  },
  rotateDialog: {
    title: (name) => `„${name}“ ersetzen?`,
    explanation:
      "Sie erhalten einen neuen Schlüssel mit diesem Namen. Wählen Sie, wie lange der alte daneben noch gilt, während Sie umstellen.",
    overlap: "Der alte Schlüssel gilt nicht mehr",
    overlaps: { "0s": "Ab sofort", "1h": "Nach einer Stunde", "24h": "Nach einem Tag", "7d": "Nach einer Woche" },
    hints: { "0s": "Richtig, wenn Unbefugte ihn kennen könnten" },
    submit: "Schlüssel ersetzen",
    failed: "Der Schlüssel wurde nicht ersetzt"
  },
  maybeIssued:
    "Möglicherweise wurde der Schlüssel trotzdem angelegt, ohne dass er angezeigt wurde. Steht er in der Liste, löschen Sie ihn, und legen Sie einen neuen an.",
  deleteDialog: {
    title: (name) => `„${name}“ löschen?`,
    explanation: (prefix) =>
      `Der Schlüssel, der mit ${prefix} beginnt, gilt ab sofort nicht mehr, für kein Programm, das ihn verwendet. Das lässt sich nicht rückgängig machen.`,
    submit: "Schlüssel löschen",
    done: (name) => `Der Schlüssel „${name}“ wurde gelöscht`
  }
}
