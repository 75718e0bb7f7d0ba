/** The webhooks of the organisation and their deliveries. */
import { webhookSecretOverlapHours } from "@solar-sites/core/model"
import type * as english from "../en/webhooks.ts"
import { formatInstant, formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

export const webhookTexts: Translated<typeof english.webhookTexts> = {
  title: "Webhooks",
  description: "Jede Änderung geht innerhalb von fünf Sekunden als signierte Nachricht an diese Adressen.",
  list: "Webhooks",
  create: "Neuer Webhook",
  none: "Es gibt noch keine Webhooks",
  noneHint: "Ein Webhook meldet einem Ihrer Programme Änderungen, damit es nicht nachfragen muss.",
  columns: {
    url: "Adresse",
    events: "Ereignisse",
    state: "Status",
    lastDelivery: "Letzte Zustellung",
    actions: "Aktionen"
  },
  everyEvent: "Jedes Ereignis",
  events: (shown, more) => (more === 0 ? shown : `${shown} und ${formatNumber(more)} weitere`),
  enabled: "Aktiv",
  disabled: "Abgeschaltet",
  noDelivery: "Noch keine",
  statuses: { delivered: "Zugestellt", pending: "Ausstehend", failed: "Fehlgeschlagen" },
  answered: (status) => `Status ${status}`,
  actions: (url) => `Aktionen für ${url}`,
  deliveries: "Zustellungen",
  deliveriesOf: (url) => `Zustellungen an ${url}`,
  test: "Test senden",
  tested: "Der Test wurde zugestellt.",
  testFailed: "Der Test wurde nicht zugestellt",
  edit: "Bearbeiten …",
  enable: "Einschalten",
  disable: "Abschalten",
  enabledDone: "Der Webhook ist aktiv.",
  disabledDone: "Der Webhook ist abgeschaltet. Ereignisse aus dieser Zeit werden ihm nicht gesendet.",
  rotate: "Neuer Signaturschlüssel …",
  delete: "Löschen …",
  failed: "Das wurde nicht ausgeführt",
  form: {
    createTitle: "Neuer Webhook",
    editTitle: "Webhook bearbeiten",
    url: "Adresse",
    urlHint: "Beginnt mit https:// und führt ins öffentliche Internet",
    events: "Ereignisse",
    eventsHint: "Arten von Ereignissen, oder alle einer Gruppe wie document.*",
    eventsMissing: "Wählen Sie mindestens eines",
    describe: "Beschreibung",
    createAction: "Webhook anlegen",
    saveAction: "Speichern",
    saved: "Der Webhook wurde gespeichert."
  },
  secretDialog: {
    title: "Signaturschlüssel des Webhooks",
    warning:
      "Sie sehen den Signaturschlüssel nur dieses eine Mal. Mit ihm lässt sich die Signatur jeder Nachricht prüfen.",
    label: "Signaturschlüssel",
    stored: "Ich habe den Signaturschlüssel sicher aufbewahrt",
    held: "Hier steht noch ein Signaturschlüssel, der nicht noch einmal angezeigt wird. Bewahren Sie ihn auf, und schließen Sie dann mit „Fertig“."
  },
  rotateDialog: {
    title: "Neuen Signaturschlüssel erzeugen?",
    explanation: `Der neue Signaturschlüssel wird einmal angezeigt. ${webhookSecretOverlapHours} Stunden lang werden Nachrichten mit beiden signiert.`,
    submit: "Signaturschlüssel erzeugen"
  },
  deleteDialog: {
    title: "Diesen Webhook löschen?",
    explanation: (url) => `${url} erhält keine Nachrichten mehr. Die Zustellungen werden mit gelöscht.`,
    submit: "Webhook löschen",
    done: "Der Webhook wurde gelöscht."
  },
  delivery: {
    list: "Zustellungen, neueste zuerst",
    none: "Es wurde noch nichts gesendet",
    attempts: (count) => (count === 1 ? "1 Versuch" : `${formatNumber(count)} Versuche`),
    next: (at) => `nächster: ${formatInstant(at)}`,
    retry: "Erneut senden",
    retryNamed: (type, at) => `Erneut senden: ${type} vom ${formatInstant(at)}`,
    retried: "Wird erneut gesendet.",
    older: "Ältere Zustellungen anzeigen"
  }
}
