/** Health: whether required documents are there and valid. The same words on every page. */
import type * as english from "../en/health.ts"
import type { Translated } from "../Translated.ts"

export type { CoverageState, HealthState } from "../en/health.ts"

export const healthTexts: Translated<typeof english.healthTexts> = {
  states: {
    missing: "Fehlt",
    pending: "Wartet auf die Datei",
    valid: "Gültig",
    expiring: "Läuft bald ab",
    expired: "Abgelaufen",
    not_yet_valid: "Noch nicht gültig",
    complete: "Vollständig"
  },
  column: "Dokumentenlage",
  any: "Jede Dokumentenlage"
}
