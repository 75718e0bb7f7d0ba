/**
 * Mutants of StrykerJS that no test needs to notice, by area and reason. A whole name stands there once
 * per mutant that has it.
 */
import type { RuleArea } from "./rules.table.ts"

type Unnoticed = Readonly<Record<string, ReadonlyArray<string>>>

export const unnoticed: Readonly<Record<RuleArea["name"], Unnoticed>> = {
  authentication: {
    "the result is not used": ["ApiKeyAuthenticator.ts ObjectLiteral: { discard: true } → {}"],
    "counts of a metric; a result that is not used": [
      "ApiKeyAuthenticator.ts BooleanLiteral: true → false",
      "ApiKeyAuthenticator.ts BooleanLiteral: true → false"
    ],
    "the metric of look-ups; a new entry is not over": ["ApiKeyAuthenticator.ts BooleanLiteral: false → true"],
    "bounds memory; either branch forgets the change's keys": [
      "ApiKeyAuthenticator.ts ConditionalExpression: changed.size < capacity → true",
      "ApiKeyAuthenticator.ts EqualityOperator: changed.size < capacity → changed.size <= capacity"
    ],
    "all counts are below that of the change of everything": [
      "ApiKeyAuthenticator.ts CallExpression: changed.clear() → ;"
    ],
    "the name of a span": ['ApiKeyAuthenticator.ts StringLiteral: "ApiKeyAuthenticator.authenticate" → ""'],
    "the name of a metric": ['ApiKeyAuthenticator.ts StringLiteral: "solar_sites_api_key_cache" → ""'],
    "the attributes of a metric": [
      'ApiKeyAuthenticator.ts ObjectLiteral: { description: "Presented well-formed keys: cached (hit) or looked up (miss)", attributes: { outcome }, incremental: tru → {}'
    ],
    "the description of a metric": [
      'ApiKeyAuthenticator.ts StringLiteral: "Presented well-formed keys: cached (hit) or looked up (miss)" → ""'
    ],
    "an attribute of a metric": [
      "ApiKeyAuthenticator.ts ObjectLiteral: { outcome } → {}",
      'ApiKeyAuthenticator.ts StringLiteral: "hit" → ""',
      'ApiKeyAuthenticator.ts StringLiteral: "miss" → ""'
    ],
    "the name of a service": ['ApiKeyAuthenticator.ts StringLiteral: "@solar-sites/core/ApiKeyAuthenticator" → ""'],
    "the name of a brand, which exists for the compiler": ['ApiKeySecret.ts StringLiteral: "ApiKeyDigest" → ""'],
    "the name of an error for schemas": ['ApiScope.ts StringLiteral: "@solar-sites/core/ScopeMissing" → ""'],
    "no decision is undefined": ["DocumentOperations.ts ConditionalExpression: change.status === undefined → false"]
  },
  isolation: {
    "a part of a text that is no key; no key comes from it": [
      'StorageKey.ts StringLiteral: "" → "Stryker was here!"',
      'StorageKey.ts StringLiteral: "" → "Stryker was here!"',
      'StorageKey.ts StringLiteral: "" → "Stryker was here!"'
    ],
    "the name of a brand, which exists for the compiler": ['StorageKey.ts StringLiteral: "StorageKey" → ""'],
    "the code of an error that clients do not get": ['StorageKey.ts StringLiteral: "invalid_value" → ""'],
    "the name of a service": ['CoverImages.ts StringLiteral: "@solar-sites/core/CoverImages" → ""'],
    "an entry of the cache begins with a key": [
      'CoverImages.ts StringLiteral: "" → "Stryker was here!"',
      "CoverImages.ts ConditionalExpression: Option.isNone(parts) → false"
    ],
    "no key has null in place of a site": ["CoverImages.ts ConditionalExpression: siteId !== null → true"],
    "sites without covers are returned as they are; it saves time": [
      "CoverImages.ts ConditionalExpression: !sites.some(({ coverImageUrl }) => isKey(coverImageUrl)) → false"
    ]
  },
  states: {
    "a split text has a first part": ['UploadVerification.ts StringLiteral: "" → "Stryker was here!"'],
    "the repository changes nothing either": [
      "StatusChange.ts ConditionalExpression: Object.keys(changes).length === 0 → false"
    ],
    "only failed documents have the reason": ['StatusChange.ts ConditionalExpression: from === "failed" → true'],
    "the repository refuses the same steps": ['StatusChange.ts ConditionalExpression: to === "uploaded" → true'],
    "no state leads to pending by a caller": [
      'StatusChange.ts ConditionalExpression: to === "pending" → false',
      'StatusChange.ts StringLiteral: "pending" → ""'
    ],
    "the name of a span": ['StatusChange.ts StringLiteral: "Documents.changeStatus" → ""'],
    "a stale step is repeated until it is not, so no caller gets the refusal": [
      'StatusChange.ts StringLiteral: "Stale" → ""'
    ]
  },
  signing: {
    "a part of the token that is missing; no digest matches without it": [
      'Signature.ts StringLiteral: "" → "Stryker was here!"',
      'Signature.ts StringLiteral: "" → "Stryker was here!"',
      'Signature.ts StringLiteral: "" → "Stryker was here!"'
    ],
    "UTF-8 is the default of Node": ['Signature.ts StringLiteral: "utf8" → ""'],
    "the digest says who wrote the terms, before they are decoded": [
      "Signature.ts ObjectLiteral: { type: Schema.String, length: Schema.NullOr(Schema.Finite), maximum: Schema.Finite, begins: Schema.Finite, expires: Sch → {}",
      "Signature.ts ObjectLiteral: { type: Schema.NullOr(Schema.String), filename: Schema.NullOr(Schema.String), begins: Schema.Finite, expires: Schema.Fin → {}"
    ],
    "no two names are equal": ["SignatureV4.ts EqualityOperator: a < b → a <= b"],
    "separates a day of eight digits, a region and a service in the name of a cached key": [
      'SignatureV4.ts StringLiteral: "/" → ""'
    ],
    "the cache only saves time": [
      "SignatureV4.ts ConditionalExpression: last?.name === name && last.secret === secretAccessKey → false"
    ]
  },
  validation: {
    "the condition in the other line leaves null out, too": [
      "BoundedArray.ts ConditionalExpression: value !== null → true",
      "BoundedArray.ts ConditionalExpression: value !== null → true"
    ],
    "an empty block returns the same": ["Cursor.ts BlockStatement: { return undefined } → {}"],
    "one byte is no position": ['Cursor.ts ArrayDeclaration: [] → ["Stryker was here"]'],
    "a shorter text ends at a later condition: its value is no JSON": [
      "Cursor.ts ConditionalExpression: bytes.length < digestStart → false",
      "Cursor.ts ConditionalExpression: bytes.length <= valueStart → false",
      "Cursor.ts EqualityOperator: bytes.length <= valueStart → bytes.length < valueStart"
    ],
    "sixteen bytes have 32 digits": [
      "Cursor.ts Regex: /^(.{8})(.{4})(.{4})(.{4})(.{12})$/ → /(.{8})(.{4})(.{4})(.{4})(.{12})$/",
      "Cursor.ts Regex: /^(.{8})(.{4})(.{4})(.{4})(.{12})$/ → /^(.{8})(.{4})(.{4})(.{4})(.{12})/"
    ],
    "a split text has a first part, and an empty exponent is zero": [
      'Capacity.ts StringLiteral: "0" → ""',
      'Capacity.ts StringLiteral: "0" → ""'
    ],
    "a text of another form has none of the three; no comparison with undefined or NaN holds": [
      'CalendarDate.ts ArrayDeclaration: [] → ["Stryker was here"]',
      "CalendarDate.ts ConditionalExpression: year === undefined || month === undefined || day === undefined → false",
      "CalendarDate.ts LogicalOperator: year === undefined || month === undefined || day === undefined → (year === undefined || month === undefined) && day === undefined",
      "CalendarDate.ts ConditionalExpression: year === undefined || month === undefined → false",
      "CalendarDate.ts LogicalOperator: year === undefined || month === undefined → year === undefined && month === undefined",
      "CalendarDate.ts ConditionalExpression: year === undefined → false",
      "CalendarDate.ts ConditionalExpression: month === undefined → false",
      "CalendarDate.ts ConditionalExpression: day === undefined → false"
    ],
    "the name of a representation, which tools outside of the package read": [
      'CalendarDate.ts ObjectLiteral: { id: "@solar-sites/core/calendarDate", payload: null } → {}',
      'CalendarDate.ts StringLiteral: "@solar-sites/core/calendarDate" → ""',
      'Text.ts StringLiteral: "@solar-sites/core/text" → ""',
      'Timestamp.ts ObjectLiteral: { id: "@solar-sites/core/timestamp", payload: null } → {}',
      'Timestamp.ts StringLiteral: "@solar-sites/core/timestamp" → ""'
    ],
    "the name of a brand, which exists for the compiler": ['CalendarDate.ts StringLiteral: "CalendarDate" → ""'],
    "a text of eight times the maximum is too long, in NFC too": [
      "Text.ts EqualityOperator: sent.length > 8 * options.max → sent.length >= 8 * options.max"
    ],
    "a name for the JSON Schema, which the check does not read": ['Uuid.ts StringLiteral: "uuid" → ""']
  },
  addresses: {
    "times alone; a receiver is refused after five seconds": [
      "NameResolution.ts ObjectLiteral: { timeout: 2_000, tries: 2 } → {}"
    ],
    "a signal aborts once": [
      "NameResolution.ts ObjectLiteral: { once: true } → {}",
      "NameResolution.ts BooleanLiteral: true → false"
    ],
    "a fulfilled answer has addresses": [
      'NameResolution.ts ConditionalExpression: answer.status === "rejected" → true'
    ],
    "the host of a URL has brackets at its ends alone": [
      "Receiver.ts Regex: /^\\[|\\]$|\\.$/g → /\\[|\\]$|\\.$/g",
      "Receiver.ts Regex: /^\\[|\\]$|\\.$/g → /^\\[|\\]|\\.$/g"
    ]
  }
}
