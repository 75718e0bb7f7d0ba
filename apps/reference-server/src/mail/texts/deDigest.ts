/** Texts of the digest and of the page that ends it, in German. */
import type { DigestTexts } from "./enDigest.ts"

const documentTypes: DigestTexts["documentTypes"] = {
  ppa: "Stromliefervertrag (PPA)",
  mcs_certificate: "MCS-Zertifikat",
  string_layout: "Strangplan",
  om_ticket: "O&M-Ticket",
  invoice: "Rechnung",
  equipment_register: "Komponentenliste",
  warranty_information: "Garantieunterlagen",
  handover_document: "Übergabeprotokoll",
  ppm: "Wartungsplan (PPM)",
  epc: "EPC-Vertrag",
  finance_agreements: "Finanzierungsverträge",
  insurance: "Versicherung",
  land_lease: "Pachtvertrag",
  om_contract: "O&M-Vertrag",
  spare_parts: "Ersatzteile",
  other: "Sonstiges"
}

const documentsNeed = (count: number): string => (count === 1 ? "1 Dokument braucht" : `${count} Dokumente brauchen`)

export const germanDigest: DigestTexts = {
  locale: "de-DE",
  documentTypes,
  document: "Dokument",
  states: {
    expired: (date) => `Abgelaufen am ${date}`,
    expiring: (date) => `Läuft ab am ${date}`,
    missing: "Fehlt"
  },
  withoutPortfolio: "In keinem Portfolio",
  subject: (count) => `${documentsNeed(count)} Aufmerksamkeit auf Solar Sites`,
  intro: (count) => `${documentsNeed(count)} heute Aufmerksamkeit.`,
  more: (count) => (count === 1 ? "und 1 weiteres" : `und ${count} weitere`),
  reason: {
    daily: "Sie erhalten diese E-Mail an jedem Tag, an dem etwas zu tun ist.",
    weekly: "Sie erhalten diese E-Mail an jedem Montag, an dem etwas zu tun ist."
  },
  change: "Häufigkeit unter „Mein Konto“ ändern",
  end: "Diese E-Mails abbestellen",
  question: "Möchten Sie die E-Mails über ablaufende und fehlende Dokumente abbestellen?",
  ended: ["Sie erhalten diese E-Mails nicht mehr. Wählen können Sie sie wieder unter ", "."],
  invalid: ["Dieser Link ist nicht gültig. Wie oft Sie diese E-Mails erhalten, wählen Sie unter ", "."],
  account: "Mein Konto"
}
