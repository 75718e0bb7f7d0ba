/** Search of the whole organisation, and keyboard shortcuts. */
import type * as english from "../en/search.ts"
import type { Translated } from "../Translated.ts"

export const searchTexts: Translated<typeof english.searchTexts> = {
  title: "Überall suchen",
  label: "Standorte, Portfolios, Dokumente, Seiten und Aktionen suchen",
  placeholder: "Name, Adresse oder externe ID",
  results: "Ergebnisse",
  groups: {
    recent: "Zuletzt geöffnet",
    page: "Seiten",
    site: "Standorte",
    portfolio: "Portfolios",
    document: "Dokumente",
    action: "Aktionen"
  },
  actions: {
    newSite: "Neuer Standort",
    upload: "Dateien hochladen",
    import: "Standorte importieren",
    newPortfolio: "Neues Portfolio",
    invite: "Person einladen"
  },
  searching: "Suche läuft …",
  found: (count) => (count === 1 ? "1 Ergebnis" : `${count} Ergebnisse`),
  firstOfMore: (count) => `Die ersten ${count} Ergebnisse; es gibt weitere. Ein längerer Suchtext grenzt sie ein.`,
  noneFound: (text) => `Nichts gefunden zu „${text}“.`,
  failed: "Die Suche ist unvollständig",
  hint: "Pfeiltasten wählen aus, Eingabe öffnet, Escape schließt.",
  keysHint: "Drücken Sie auf einer Seite ?, um alle Tasten zu sehen.",
  keysTitle: "Tastenkürzel",
  everywhere: "Auf jeder Seite",
  onDocuments: "In der Liste der Dokumente",
  followedBy: "dann",
  enterKey: "Eingabe",
  controlKey: "Strg",
  searchKey: "Überall suchen",
  listKey: "In der Liste der Seite suchen",
  helpKey: "Diese Kürzel anzeigen",
  goTo: (page) => `Zu ${page}`,
  next: "Nächstes Dokument",
  previous: "Voriges Dokument",
  open: "Dokument öffnen",
  approve: "Freigeben",
  reject: "Ablehnen",
  undo: "Letzte Entscheidung zurücknehmen, zehn Sekunden lang",
  select: "Auswählen, in der Liste zu prüfender Dokumente"
}
