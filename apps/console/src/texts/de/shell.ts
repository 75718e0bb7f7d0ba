/** The frame around every page. */
import type * as english from "../en/shell.ts"
import type { Translated } from "../Translated.ts"

export const shellTexts: Translated<typeof english.shellTexts> = {
  discard: {
    title: "Eingaben verwerfen?",
    hint: "Was Sie eingegeben haben, ist nicht gespeichert.",
    discard: "Verwerfen",
    keep: "Weiter bearbeiten"
  },
  product: "Solar Sites",
  pageTitle: (title) => `${title} · Solar Sites`,
  skip: "Zum Inhalt springen",
  navigation: "Hauptnavigation",
  openNavigation: "Navigation öffnen",
  closeNavigation: "Navigation schließen",
  overview: "Überblick",
  sites: "Standorte",
  portfolios: "Portfolios",
  documents: "Dokumente",
  coverage: "Vollständigkeit",
  company: "Firmenprofil",
  myAccount: "Mein Konto",
  account: (organisation) => `Konto bei ${organisation}`,
  loggedInAs: "Angemeldet als",
  logOut: "Abmelden",
  logOutFailed: "Sie sind noch angemeldet",
  colourScheme: "Farben",
  colourSchemes: { auto: "Wie im System", light: "Hell", dark: "Dunkel" },
  loading: "Wird geladen",
  copy: (name) => `Kopieren: ${name}`,
  copied: (name) => `Kopiert: ${name}`,
  csv: "Als CSV exportieren",
  csvFailed: "Die Liste wurde nicht exportiert",
  close: "Schließen",
  cancel: "Abbrechen",
  revealDialog: {
    copy: "Kopieren",
    copied: "Kopiert",
    copyFailed: "Der Browser lässt diese Seite nicht kopieren. Markieren Sie den Text, und kopieren Sie ihn selbst.",
    download: "Herunterladen",
    done: "Fertig"
  },
  offline:
    "Keine Verbindung zum Server. Was Sie sehen, ist vielleicht veraltet. Die Verbindung wird von selbst wieder versucht.",
  notFoundTitle: "Diese Seite gibt es nicht",
  notFound: "Vielleicht ist die Adresse falsch, oder ihr Ziel wurde gelöscht.",
  toStart: "Zu den Standorten",
  unreachableTitle: "Der Server ist nicht erreichbar",
  unreachable: "Diese Seite öffnet sich von selbst, sobald der Server wieder da ist.",
  brokenTitle: "Auf dieser Seite ist ein Fehler aufgetreten",
  broken:
    "Es liegt nicht an Ihnen. Laden Sie die Seite neu. Tritt der Fehler wieder auf, wenden Sie sich an den Betreiber dieses Servers.",
  reload: "Neu laden"
}
