/** News about the end of the validity of documents. */
import type * as english from "../en/validity.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const documentsOf = (count: number, isMore: boolean): string => {
  if (isMore) return `Mehr als ${formatNumber(count)} Dokumente`
  return count === 1 ? "1 Dokument" : `${formatNumber(count)} Dokumente`
}

export const validityTexts: Translated<typeof english.validityTexts> = {
  title: "Seit Ihrem letzten Besuch",
  bell: (hasNews) => (hasNews ? "Ablauf von Dokumenten: es gibt Neues" : "Ablauf von Dokumenten: nichts Neues"),
  sentences: {
    expired: (count, isMore) => `${documentsOf(count, isMore)} ${count === 1 ? "ist" : "sind"} abgelaufen`,
    expiring: (count, isMore) =>
      count === 1 ? "1 Dokument läuft bald ab" : `${documentsOf(count, isMore)} laufen bald ab`
  },
  nothing: "Nichts ist abgelaufen oder läuft neu ab."
}
