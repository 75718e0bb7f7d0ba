/** What the server says, by the code of a problem or fault. */
import type * as english from "../en/server.ts"
import { formatBytes, formatNumber } from "../formats.ts"
import type { Said, SaidByServer } from "../Said.ts"
import type { Translated } from "../Translated.ts"

const later = "Versuchen Sie es gleich noch einmal."

/** A text with the number of the server's sentence: the limits are in core, which the first page does not load. */
const withNumber =
  (text: (count: string) => string): Said =>
  (sentence) => {
    const [count] = /\d+/.exec(sentence) ?? []
    return count === undefined ? undefined : text(formatNumber(Number(count)))
  }

/** Beginnings of the sentences with which an import has ended early, which has no codes. */
const endsOfImport: ReadonlyArray<readonly [sentence: string, text: string]> = [
  ["The server could not", "Der Server konnte die Zeilen nicht speichern."],
  ["The server was stopped", "Der Server wurde angehalten."],
  ["The import ended", "Diese Standorte dürfen nicht mehr importiert werden, oder ein späterer Import hat begonnen."],
  ["Other changes", "Nach anderen Änderungen seit der Prüfung hat die Datei Fehler. Prüfen Sie sie noch einmal."],
  ["The file", "Die Datei lässt sich nicht mehr lesen."]
]

const problems: Readonly<Record<string, Said>> = {
  import_ended: (sentence) => endsOfImport.find(([beginning]) => sentence.startsWith(beginning))?.[1],
  malformed_json: "Die Anfrage ist kein JSON in UTF-8.",
  validation_failed: "Die Eingaben passen nicht.",
  webhook_address_not_allowed: "Die Adresse ist keine https-Adresse oder nicht öffentlich.",
  malformed_request: "Das ist keine Anfrage nach HTTP/1.1.",
  invalid_header: "Ein Header der Anfrage kann nicht gelesen werden.",
  invalid_filename: "Ein Dokument kann nicht so heißen.",
  api_key_missing: "Es fehlt ein API-Schlüssel.",
  api_key_invalid: "Dieser API-Schlüssel wird nicht angenommen.",
  api_key_expired: "Dieser API-Schlüssel ist abgelaufen.",
  organisation_missing: "Sie gehören zu keiner Organisation.",
  organisation_inactive: "Ihre Organisation ist nicht aktiv.",
  scope_missing: "Dazu fehlt eine Berechtigung.",
  caller_limited: "Ihr Zugang ist auf bestimmte Portfolios beschränkt.",
  portfolio_required: "Ihr Zugang ist auf bestimmte Portfolios beschränkt: Geben Sie eines davon an.",
  route_not_found: "Unter dieser Adresse gibt es nichts.",
  site_not_found: "Ihre Organisation hat keinen solchen Standort.",
  portfolio_not_found: "Ihre Organisation hat kein solches Portfolio.",
  document_not_found: "Ihre Organisation hat kein solches Dokument.",
  om_record_not_found: "Dieser Standort hat keinen solchen O&M-Vorgang.",
  webhook_not_found: "Ihre Organisation hat keinen solchen Webhook.",
  delivery_not_found: "Dieser Webhook hat keine solche Zustellung.",
  site_not_in_portfolio: "Ein Standort ist nicht in diesem Portfolio.",
  method_not_allowed: "Das ist unter dieser Adresse nicht möglich.",
  not_acceptable: "Die Antwort gibt es nur als JSON oder CSV.",
  request_timeout: "Die Anfrage ist nicht rechtzeitig vollständig angekommen.",
  invalid_transition: "Der Status des Dokuments lässt das nicht zu.",
  upload_not_found: "Für dieses Dokument ist keine Datei angekommen.",
  upload_mismatch: "Die angekommene Datei widerspricht ihren Angaben.",
  already_replaced: "Das Dokument, das ersetzt werden sollte, wurde schon durch ein anderes ersetzt.",
  external_id_taken: "Diese externe ID hat in Ihrer Organisation schon etwas anderes.",
  idempotency_key_reused: "Die Anfrage wurde mit anderem Inhalt schon einmal gesendet.",
  idempotency_key_in_use: `Dieselbe Anfrage wird gerade ausgeführt. ${later}`,
  too_many_views: "Ihre Organisation teilt 50 Ansichten, die Höchstzahl. Löschen Sie zuerst eine.",
  too_many_webhooks: withNumber(
    (count) => `Eine Organisation hat höchstens ${count} Webhooks. Löschen Sie zuerst einen.`
  ),
  precondition_failed: "Das wurde inzwischen von anderen geändert.",
  body_too_large: "Die Anfrage ist zu groß.",
  unsupported_media_type: "Die Anfrage hat einen Typ, der hier nicht angenommen wird.",
  expectation_failed: "Die Anfrage erwartet etwas, das der Server nicht kennt.",
  rate_limited: "Das wurde zu oft versucht.",
  too_many_pending: withNumber(
    (count) =>
      `Eine Organisation hat höchstens ${count} Dokumente, die auf ihre Datei warten. Senden Sie Dateien, oder warten Sie, bis die Adressen abgelaufen sind.`
  ),
  headers_too_large: "Adresse und Header der Anfrage sind zu groß.",
  internal: "Auf dem Server ist etwas schiefgegangen.",
  database_unavailable: later,
  storage_unavailable: later,
  storage_full: "Zurzeit ist kein Platz für Dateien.",
  owner_limited:
    "Ein Inhaber ist nie auf Portfolios beschränkt. Geben Sie eine andere Rolle, oder heben Sie die Beschränkung auf.",
  overloaded: `Der Server ist überlastet. ${later}`,
  shutting_down: `Der Server wird gerade beendet. ${later}`,

  api_key_not_found: "Ihre Organisation hat keinen solchen API-Schlüssel.",
  domain_taken:
    "Eine andere Organisation hat die Domain dieser E-Mail-Adresse. Fragen Sie deren Inhaber, oder laden Sie eine andere Adresse ein.",
  email_taken: "Ein Benutzerkonto mit dieser E-Mail-Adresse gibt es schon.",
  import_not_found: "Diesen Import gibt es nicht.",
  import_running: "Ein anderer Import Ihrer Organisation läuft gerade. Warten Sie, bis er beendet ist.",
  invitation_not_found: "Ihre Organisation hat keine solche Einladung, die Sie ändern dürfen.",
  last_owner: "Eine Organisation braucht einen Inhaber. Machen Sie zuerst eine andere Person zum Inhaber.",
  link_invalid: "Dieser Link wurde schon verwendet oder ersetzt, oder er ist abgelaufen. Bitten Sie um einen neuen.",
  login_failed: "E-Mail-Adresse oder Passwort ist falsch.",
  mail_not_configured:
    "Der Server versendet keine E-Mails und kann deshalb keine neue Adresse bestätigen. Fragen Sie den Betreiber.",
  origin_not_allowed: "Das dürfen nur Seiten der Konsole selbst.",
  own_second_factor: "Schalten Sie Ihren eigenen zweiten Faktor unter „Mein Konto“ aus.",
  password_login_off: "Dieser Server nimmt keine Passwörter an. Melden Sie sich beim Anbieter Ihrer Organisation an.",
  password_wrong: "Das ist nicht Ihr aktuelles Passwort.",
  role_insufficient: "Ihre Rolle erlaubt das nicht.",
  second_factor_demanded: "Ihre Organisation verlangt einen zweiten Faktor; er lässt sich nicht ausschalten.",
  second_factor_enabled: "Der zweite Faktor ist eingeschaltet. Schalten Sie ihn zuerst aus.",
  second_factor_not_enabled: "Kein zweiter Faktor ist eingeschaltet, oder das Einrichten wurde nicht begonnen.",
  second_factor_required:
    "Melden Sie sich noch einmal mit dem aktuellen Code der Authenticator-App oder einem Wiederherstellungscode an.",
  second_factor_setup_required:
    "Ihre Organisation verlangt einen zweiten Faktor. Richten Sie ihn unter „Mein Konto“ ein.",
  second_factor_wrong:
    "Der Code ist falsch oder wurde schon verwendet. Geben Sie den aktuellen Code der App ein, oder einen unverbrauchten Wiederherstellungscode.",
  session_missing: "Melden Sie sich zuerst an. Es gibt keine Sitzung, oder sie ist beendet.",
  session_not_found: "Diese Sitzung haben Sie nicht.",
  too_many_invitations: "Ihre Organisation hat so viele offene Einladungen wie möglich. Ziehen Sie zuerst eine zurück.",
  too_many_keys:
    "Ihre Organisation hat so viele gültige API-Schlüssel wie möglich. Löschen Sie zuerst einen, oder ersetzen Sie einen ohne Übergangszeit.",
  user_not_found: "Ihre Organisation hat kein solches Benutzerkonto."
}

/** The sentences with numbers in them, which several codes share. */
const limits: ReadonlyArray<readonly [sentence: RegExp, text: (...parts: ReadonlyArray<string>) => string]> = [
  [/^must not be empty$/, () => "darf nicht leer sein"],
  [/^must have at least (\d+) characters$/, (count) => `muss mindestens ${count} Zeichen haben`],
  [/^must have at most (\d+) characters$/, (count) => `darf höchstens ${count} Zeichen haben`],
  [/more than (\d+) characters$/, (count) => `hat mehr als ${count} Zeichen`],
  [/^must have at most (\d+) bytes$/, (bytes) => `darf höchstens ${formatBytes(Number(bytes))} haben`],
  [/^must (?:be|hold|name) at most (\d+) \w+s$/, (count) => `darf höchstens ${count} Einträge haben`],
  [/^must hold at least 1 \w+$/, () => "muss mindestens einen Eintrag haben"],
  [/^must be a whole number from (-?\d+) to (\d+)$/, (from, to) => `muss eine ganze Zahl von ${from} bis ${to} sein`],
  [/^must be from (-?\d+) to (\d+)$/, (from, to) => `muss zwischen ${from} und ${to} liegen`],
  [/^must be at most (\d+)$/, (most) => `darf höchstens ${formatNumber(Number(most))} sein`],
  [/^must be greater than (\d+)$/, (least) => `muss größer als ${least} sein`],
  [/^must be one of (.+)$/, (values) => `muss einer dieser Werte sein: ${values}`],
  [/^must be an? (?:finite )?number$/, () => "muss eine Zahl sein"],
  [/^must not be before validFrom$/, () => "darf nicht vor „Gültig ab“ liegen"],
  [/^must not be after validUntil$/, () => "darf nicht nach „Gültig bis“ liegen"],
  [/easy to guess/, () => "ist leicht zu erraten: ein häufiges Passwort, oder aus häufigen Wörtern, Folgen oder Namen"],
  [/combining marks/, () => "darf nicht so viele kombinierende Zeichen hintereinander enthalten"],
  [/^is in row (\d+) too$/, (row) => `steht auch in Zeile ${row}`],
  [/^is beyond (\d+) rows$/, (rows) => `liegt jenseits von ${formatNumber(Number(rows))} Zeilen`],
  [/^has more than (\d+) columns$/, (columns) => `hat mehr als ${columns} Spalten`],
  [/^is the external id of the site (.+)$/, (site) => `ist die externe ID des Standorts ${site}`],
  [/^is no column for (.+), which is required$/, (member) => `fehlt: eine Spalte für ${member}`],
  [
    /^is in (\w+), and the unit of the row is (\w+)$/,
    (unit, given) => `ist in ${unit}, die Einheit der Zeile ist ${given}`
  ]
]

const limitIn = (sentence: string): string | undefined => {
  for (const [pattern, text] of limits) {
    const found = pattern.exec(sentence)
    if (found !== null) return text(...found.slice(1))
  }
  return undefined
}

/** The text of a sentence with a number, else that of the code. */
const or =
  (text?: string): Said =>
  (sentence) =>
    limitIn(sentence) ?? text

const faults: Readonly<Record<string, Said>> = {
  address_not_allowed: "muss eine öffentliche https-Adresse sein",
  already_replaced: "wurde schon durch ein anderes Dokument ersetzt",
  ambiguous_number: "lässt sich als zwei Zahlen lesen; schreiben Sie sie ohne Tausendertrennzeichen",
  cell_error: (sentence) => sentence.replace(/^is /, "enthält den Fehler "),
  conflicting_unit: or("widerspricht der Einheit der Zeile"),
  duplicate: or("kommt doppelt vor"),
  duplicate_column: "gibt es doppelt",
  empty_file: "enthält keine Zeilen",
  exactly_one: "muss genau einmal angegeben werden",
  external_id_taken: or("ist schon vergeben"),
  extra_cell: "hat mehr Zellen als die Kopfzeile",
  file_too_large: or("ist zu groß"),
  forbidden_character: "darf keine Steuerzeichen oder andere unzulässige Zeichen enthalten",
  invalid_cursor: "gehört nicht zu dieser Liste",
  invalid_date: "muss ein Tag in der Form JJJJ-MM-TT sein",
  invalid_duration: "muss eine Dauer sein, zum Beispiel 90 days",
  invalid_email: "muss eine E-Mail-Adresse sein",
  invalid_entity_tag: "muss eine Version sein",
  invalid_filename:
    "muss 1 bis 255 Bytes lang sein, darf keine Pfadtrenner und keine Steuerzeichen enthalten und nicht . oder .. sein",
  invalid_idempotency_key: "muss 1 bis 255 sichtbare ASCII-Zeichen haben",
  invalid_json: (sentence) =>
    sentence.includes("tags")
      ? "muss Schlagwörter enthalten, durch ; getrennt oder als JSON-Liste"
      : "muss ein JSON-Objekt sein",
  invalid_number: "muss eine Zahl sein",
  invalid_section: "muss west,süd,ost,nord in Grad sein, mit west ≤ ost und süd ≤ nord",
  invalid_timestamp: "muss ein Zeitpunkt sein, zum Beispiel 2026-01-31T09:30:00Z",
  invalid_type: or("hat keinen Wert der richtigen Art"),
  invalid_url: "muss eine https-Adresse ohne Benutzernamen und Passwort sein",
  invalid_uuid: "muss eine UUID sein",
  invalid_value: or("hat einen Wert, der hier nicht möglich ist"),
  malformed_csv: "ist keine lesbare CSV-Datei",
  malformed_xlsx: "ist keine lesbare Arbeitsmappe; speichern Sie sie noch einmal als XLSX",
  mime_type_not_allowed: (sentence) =>
    sentence.includes("cover") ? "ein Titelbild muss JPEG, PNG oder WebP sein" : "der Dateityp wird nicht angenommen",
  missing_column: or("ist zugeordnet, aber keine Spalte der Datei"),
  out_of_range: or("liegt außerhalb des möglichen Bereichs"),
  portfolio_ambiguous: "heißen mehrere Portfolios; schreiben Sie die externe ID von einem",
  portfolio_not_found: "ist weder eine externe ID noch der Name eines Portfolios",
  repeated_parameter: "darf nur einmal angegeben werden",
  replaces_not_found: "muss ein Dokument desselben Standorts mit derselben Verwendung sein",
  replaces_not_uploaded: "hat noch keine Datei",
  required: "fehlt",
  storage_unavailable: "Der Speicher antwortet nicht",
  too_few: or("hat zu wenige Einträge"),
  too_large: or("ist zu groß"),
  too_long: or("ist zu lang"),
  too_many: or("hat zu viele Einträge"),
  too_many_columns: or("hat zu viele Spalten"),
  too_many_marks: or(),
  too_many_rows: or("hat zu viele Zeilen"),
  too_short: or("ist zu kurz"),
  too_slow: "lässt sich nicht rechtzeitig lesen",
  unknown_column: "ist eine unbekannte Spalte; ordnen Sie sie zu, oder lassen Sie sie weg",
  unknown_id: "ist keine ID dieses Servers; ordnen Sie die Spalte der externen ID zu, oder lassen Sie sie weg",
  unknown_member: "kann hier nicht angegeben werden",
  unknown_parameter: "kann hier nicht angegeben werden",
  unsupported_encoding: "ist nicht in UTF-8; speichern Sie die Datei in UTF-8",
  unsupported_format: "ist eine alte oder verschlüsselte Arbeitsmappe; speichern Sie sie als XLSX oder CSV"
}

const reasons: SaidByServer["reasons"] = {
  already_replaced: () => "Ein anderes Dokument hat seinen Vorgänger ersetzt.",
  "before the upload address lapsed": () => "Bis zum Ablauf der Upload-Adresse ist keine Datei angekommen.",
  "bytes were declared": (declared, arrived) => `Angekündigt waren ${declared}, angekommen sind ${arrived}.`,
  "bytes are allowed": (most, arrived) => `Erlaubt sind ${most}, angekommen sind ${arrived}.`,
  "was declared, another media type arrived": () => "Angekommen ist eine Datei anderen Typs als angekündigt.",
  "was sent with a content coding": () => "Die Datei ist mit einer Kodierung (Content-Encoding) angekommen."
}

export const serverTexts: Translated<typeof english.serverTexts> = { problems, faults, reasons }
