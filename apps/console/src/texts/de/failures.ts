/** Messages for requests that did not work. */
import type * as english from "../en/failures.ts"
import { asSentence } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const waitOf = (seconds: number): string => {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} Minuten`
  return seconds === 1 ? "einer Sekunde" : `${seconds} Sekunden`
}

export const failureTexts: Translated<typeof english.failureTexts> = {
  fault: (pointer, detail) =>
    pointer === "" ? `${asSentence(detail)}.` : `${asSentence(pointer.slice(1).replaceAll("/", "."))}: ${detail}.`,
  noConnection: "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.",
  notDone: "Das wurde nicht ausgeführt",
  request: (id) => `Die Anfrage war ${id}.`,
  retry: "Noch einmal versuchen",
  roleInsufficient:
    "Ihre Rolle erlaubt das nicht. Wenden Sie sich an einen Inhaber oder Administrator Ihrer Organisation.",
  sessionEnded: "Ihre Sitzung war vorher beendet. Versuchen Sie es noch einmal.",
  tooMany: (seconds) =>
    `Das wurde zu oft versucht. Versuchen Sie es ${seconds === null ? "später" : `in ${waitOf(seconds)}`} noch einmal.`,
  unexpected: "Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu, und versuchen Sie es noch einmal.",
  unexpectedAnswer:
    "Zwischen dieser Seite und dem Server hat etwas anderes geantwortet. Versuchen Sie es später noch einmal.",
  unreadable: "Das konnte nicht gelesen werden"
}
