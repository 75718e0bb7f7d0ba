/** Users, invitations and API keys that are limited to portfolios. */
import type * as english from "../en/access.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const others = (count: number): string => (count === 0 ? "" : ` und ${formatNumber(count)} weitere`)

export const accessTexts: Translated<typeof english.accessTexts> = {
  label: "Sieht",
  all: "Alle Portfolios",
  allOwn: "Alle Portfolios, die Sie sehen",
  chosen: "Nur ausgewählte Portfolios",
  portfolios: "Portfolios",
  portfoliosHint: "Alles andere ist verborgen: Standorte, Dokumente, Ereignisse und die übrigen Portfolios.",
  missing: "Wählen Sie mindestens ein Portfolio",
  only: (names, count) => `Nur ${names.join(", ")}${others(count)}`,
  onlyUnnamed: (count) => (count === 1 ? "Nur 1 Portfolio" : `Nur ${formatNumber(count)} Portfolios`),
  nothing: "Kein Portfolio, also nichts"
}
