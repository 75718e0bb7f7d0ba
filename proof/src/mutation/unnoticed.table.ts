/**
 * Mutants of StrykerJS that no test needs to notice, by area and reason. A whole name stands there once
 * per mutant that has it.
 */
import type { RuleArea } from "./rules.table.ts"

type Unnoticed = Readonly<Record<string, ReadonlyArray<string>>>

export const unnoticed: Readonly<Record<RuleArea["name"], Unnoticed>> = {
  isolation: {
    "a part of a text that is no key; no key comes from it": [
      'StorageKey.ts StringLiteral: "" → "Stryker was here!"',
      'StorageKey.ts StringLiteral: "" → "Stryker was here!"',
      'StorageKey.ts StringLiteral: "" → "Stryker was here!"'
    ],
    "the name of a brand, which exists for the compiler": ['StorageKey.ts StringLiteral: "StorageKey" → ""'],
    "the code of an error that clients do not get": ['StorageKey.ts StringLiteral: "invalid_value" → ""'],
    "the name of a reference": ['EventOrigin.ts StringLiteral: "@solar-sites/core/RequestId" → ""'],
    "the name of a service": ['CoverImages.ts StringLiteral: "@solar-sites/core/CoverImages" → ""'],
    "an entry of the cache begins with a key": [
      'CoverImages.ts StringLiteral: "" → "Stryker was here!"',
      "CoverImages.ts ConditionalExpression: Option.isNone(parts) → false"
    ],
    "no key has null in place of a site": ["CoverImages.ts ConditionalExpression: siteId !== null → true"],
    "sites without covers are returned as they are; it saves time": [
      "CoverImages.ts ConditionalExpression: !sites.some(({ coverImageUrl }) => isKey(coverImageUrl)) → false"
    ],
    "a token of letters is one whole word of the list": [
      "PgCorrelation.ts Regex: /^(select|values)$/i → /(select|values)$/i",
      "PgCorrelation.ts Regex: /^(select|values)$/i → /^(select|values)/i",
      "PgCorrelation.ts Regex: /^returning$/i → /returning$/i",
      "PgCorrelation.ts Regex: /^returning$/i → /^returning/i"
    ],
    "the first word of the main statement sets it": ["PgCorrelation.ts BooleanLiteral: false → true"]
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
  addresses: {
    "each network has an address and a prefix": ['AddressRanges.ts StringLiteral: "" → "Stryker was here!"'],
    "Node finds the family of an address itself": ['AddressRanges.ts StringLiteral: "ipv6" → ""'],
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
