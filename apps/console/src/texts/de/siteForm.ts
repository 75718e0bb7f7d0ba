/** The form of a site, and conflicts with changes by others. */
import type * as english from "../en/siteForm.ts"
import { editableNumber, formatExact } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const numberExample = editableNumber(1234.5)

export const siteFormTexts: Translated<typeof english.siteFormTexts> = {
  create: "Neuer Standort",
  edit: (name) => `${name} bearbeiten`,
  notANumber: `Geben Sie eine Zahl ein, zum Beispiel ${numberExample}`,
  twoNumbers: (values) =>
    `Das kann ${values.map(formatExact).join(" oder ")} bedeuten. Schreiben Sie ${values.map((value) => editableNumber(value)).join(" oder ")}`,
  understood: (value, unit) => `= ${formatExact(value)} ${unit}`.trim(),
  tagsHint: "Drücken Sie nach jedem Schlagwort die Eingabetaste.",
  attribute: (name) => (name === "" ? "Neues Attribut" : `Attribut ${name}`),
  attributeName: "Name des Attributs",
  attributeKind: "Typ",
  attributeKinds: { text: "Text", number: "Zahl", boolean: "Ja oder nein", null: "Leer" },
  attributeValue: "Wert",
  attributeTwice: (name) => `Der Name „${name}“ kommt doppelt vor`,
  attributeNumber: (name, fault) => `Der Wert von „${name}“: ${fault}`,
  addAttribute: "Attribut hinzufügen",
  removeAttribute: (name) => (name === "" ? "Neues Attribut entfernen" : `Attribut ${name} entfernen`),
  yes: "Ja",
  no: "Nein",
  noPortfolio: "In keinem Portfolio",
  portfolioMissing: "Wählen Sie ein Portfolio",
  pick: "Position auf der Karte wählen",
  hidePicker: "Karte ausblenden",
  pickHint:
    "Klicken Sie auf eine Stelle, oder bewegen Sie die Karte mit ihren Pfeiltasten und übernehmen Sie ihre Mitte.",
  takeMiddle: "Mitte der Karte übernehmen",
  position: "Position des Standorts",
  managerName: "Name der Standortleitung",
  managerCompany: "Firma",
  managerEmail: "E-Mail",
  managerPhone: "Telefon",
  createAction: "Standort anlegen",
  saveAction: "Speichern",
  created: (name) => `${name} wurde angelegt.`,
  openCreated: "Öffnen",
  saved: (name) => `${name} wurde gespeichert.`,
  failed: "Das wurde nicht gespeichert",
  conflictTitle: "Dieser Standort wurde inzwischen geändert",
  conflict: (labels) =>
    `Von anderen geändert: ${labels.join(", ")}. Ihre Änderungen sind noch nicht gespeichert und nicht verloren.`,
  conflictSame: "Geändert wurde nichts, was dieses Formular zeigt. Ihre Änderungen sind noch nicht gespeichert.",
  keepMine: "Meine Änderungen darüber beibehalten",
  takeTheirs: "Meine Änderungen verwerfen"
}
