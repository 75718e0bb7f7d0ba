/**
 * Rules that StrykerJS mutates, and the tests that belong to them.
 */

export interface RuleArea {
  readonly name: string
  /** Sources in the workspace. */
  readonly mutate: ReadonlyArray<string>
  /** Test files by package, as patterns inside `test/`. */
  readonly tests: Readonly<Record<string, ReadonlyArray<string>>>
  /** Mutants that no test needs to notice: each line is a part of their names, with the reason. */
  readonly unnoticed: Readonly<Record<string, string>>
}

const refusedStale = "a look-up from before the change is refused by its age; without this, a call may wait for it"

export const ruleAreas: ReadonlyArray<RuleArea> = [
  {
    name: "authentication",
    mutate: [
      "packages/core/src/api-keys/ApiKeyAuthenticator.ts",
      "packages/core/src/api-keys/ApiKeySecret.ts",
      "packages/core/src/caller/NeededScopes.ts",
      "packages/core/src/caller/ScopeGuard.ts",
      "packages/core/src/caller/ApiScope.ts"
    ],
    tests: {
      core: ["api-keys/*", "caller/Scopes*", "promises/Callers*"],
      "http-node": ["Scopes*"]
    },
    unnoticed: {
      "ApiKeyAuthenticator.ts ObjectLiteral: { digest }": refusedStale,
      "ApiKeyAuthenticator.ts CallExpression: inFlight.add": refusedStale,
      "ApiKeyAuthenticator.ts ArrayDeclaration: [...inFlight]": refusedStale,
      "ApiKeyAuthenticator.ts ObjectLiteral: { discard": "the result is not used",
      "ApiKeyAuthenticator.ts BooleanLiteral: true →": "counts of a metric; a result that is not used",
      "ApiKeyAuthenticator.ts BooleanLiteral: false → true": "the metric of look-ups; a new entry is not over",
      "ApiKeyAuthenticator.ts ConditionalExpression: changed.size":
        "bounds memory; either branch forgets the change's keys",
      "ApiKeyAuthenticator.ts EqualityOperator: changed.size": "bounds memory; either branch forgets the change's keys",
      "ApiKeyAuthenticator.ts CallExpression: changed.clear": "all counts are below that of the change of everything",
      'ApiKeyAuthenticator.ts StringLiteral: "ApiKeyAuthenticator.authenticate"': "the name of a span",
      'ApiKeyAuthenticator.ts StringLiteral: "solar_sites': "the name of a metric",
      'ApiKeyAuthenticator.ts ObjectLiteral: { description: "Presented': "the attributes of a metric",
      'ApiKeyAuthenticator.ts StringLiteral: "Presented': "the description of a metric",
      "ApiKeyAuthenticator.ts ObjectLiteral: { outcome }": "an attribute of a metric",
      'ApiKeyAuthenticator.ts StringLiteral: "hit"': "an attribute of a metric",
      'ApiKeyAuthenticator.ts StringLiteral: "miss"': "an attribute of a metric",
      'ApiKeyAuthenticator.ts StringLiteral: "@solar-sites': "the name of a service",
      'ApiKeySecret.ts StringLiteral: "ApiKeyDigest"': "the name of a brand, which exists for the compiler",
      'ApiScope.ts StringLiteral: "@solar-sites': "the name of an error for schemas",
      "NeededScopes.ts ConditionalExpression: change.status === undefined": "no decision is undefined"
    }
  },
  {
    name: "isolation",
    mutate: [
      "packages/core/src/storage/StorageKey.ts",
      "packages/core/src/events/EventOrigin.ts",
      "packages/core/src/sites/CoverImages.ts",
      "packages/adapter-postgres/src/client/PgCorrelation.ts"
    ],
    tests: {
      core: ["storage/*", "sites/*", "events/EventOrigin", "documents/Documents", "promises/Callers*"],
      "adapter-postgres": ["PgCorrelation*"],
      testing: ["MemoryEventRepository"]
    },
    unnoticed: {
      'StorageKey.ts StringLiteral: "" →': "a part of a text that is no key; no key comes from it",
      'StorageKey.ts StringLiteral: "StorageKey"': "the name of a brand, which exists for the compiler",
      'StorageKey.ts StringLiteral: "invalid_value"': "the code of an error that clients do not get",
      'EventOrigin.ts StringLiteral: "@solar-sites/core/RequestId"': "the name of a reference",
      'CoverImages.ts StringLiteral: "@solar-sites/core/CoverImages"': "the name of a service",
      'CoverImages.ts StringLiteral: "" →': "an entry of the cache begins with a key",
      "CoverImages.ts ConditionalExpression: siteId !== null → true": "no key has null in place of a site",
      "CoverImages.ts ConditionalExpression: Option.isNone(parts) → false": "an entry of the cache begins with a key",
      "CoverImages.ts ConditionalExpression: !sites.some":
        "sites without covers are returned as they are; it saves time",
      "PgCorrelation.ts Regex: /^(select|values)$/i": "a token of letters is one whole word of the list",
      "PgCorrelation.ts Regex: /^returning$/i": "a token of letters is one whole word of the list",
      "PgCorrelation.ts BooleanLiteral: false → true": "the first word of the main statement sets it"
    }
  },
  {
    name: "states",
    mutate: [
      "packages/core/src/documents/DocumentStatus.ts",
      "packages/core/src/documents/StatusChange.ts",
      "packages/core/src/documents/UploadVerification.ts"
    ],
    tests: { core: ["documents/*"], "http-node": ["Documents*", "DocumentInput*"] },
    unnoticed: {
      'UploadVerification.ts StringLiteral: "" →': "a split text has a first part",
      "StatusChange.ts ConditionalExpression: Object.keys(changes).length === 0 → false":
        "the repository changes nothing either",
      'StatusChange.ts ConditionalExpression: from === "failed" → true': "only failed documents have the reason",
      'StatusChange.ts ConditionalExpression: to === "uploaded" → true': "the repository refuses the same steps",
      'StatusChange.ts ConditionalExpression: to === "pending" → false': "no state leads to pending by a caller",
      'StatusChange.ts StringLiteral: "pending" →': "no state leads to pending by a caller",
      'StatusChange.ts StringLiteral: "Documents.changeStatus"': "the name of a span",
      'StatusChange.ts StringLiteral: "Stale"':
        "a stale step is repeated until it is not, so no caller gets the refusal"
    }
  },
  {
    name: "signing",
    mutate: [
      "packages/adapter-filesystem/src/Signature.ts",
      "packages/adapter-s3/src/SignatureV4.ts",
      "packages/core/src/webhooks/WebhookSigning.ts"
    ],
    tests: {
      core: ["webhooks/WebhookSigning*"],
      "adapter-filesystem": ["Upload", "Uploading*", "Download*", "Expiry*", "Routing*", "Signature"],
      "adapter-s3": ["Signing*", "Downloads*"]
    },
    unnoticed: {
      'Signature.ts StringLiteral: "" →': "a part of the token that is missing; no digest matches without it",
      'Signature.ts StringLiteral: "utf8"': "UTF-8 is the default of Node",
      "Signature.ts ObjectLiteral: { type:": "the digest says who wrote the terms, before they are decoded",
      "SignatureV4.ts EqualityOperator: a < b → a <= b": "no two names are equal",
      'SignatureV4.ts StringLiteral: "/"':
        "separates a day of eight digits, a region and a service in the name of a cached key",
      "last.secret === secretAccessKey → false": "the cache only saves time"
    }
  },
  {
    name: "validation",
    mutate: [
      "packages/core/src/input/{Text,CalendarDate,Csv,Timestamp,Uuid,BoundedArray}.ts",
      "packages/core/src/sites/Capacity.ts",
      "packages/core/src/persistence/Cursor.ts"
    ],
    tests: {
      core: ["input/*", "sites/Capacity*", "persistence/*"],
      "http-node": ["Csv*", "Finding*"]
    },
    unnoticed: {}
  },
  {
    name: "addresses",
    mutate: [
      "packages/http-node/src/webhooks/AddressRanges.ts",
      "packages/http-node/src/webhooks/NameResolution.ts",
      "packages/http-node/src/webhooks/Receiver.ts"
    ],
    tests: { "http-node": ["webhooks/*"] },
    unnoticed: {
      'AddressRanges.ts StringLiteral: "" →': "each network has an address and a prefix",
      'AddressRanges.ts StringLiteral: "ipv6" → ""': "Node finds the family of an address itself",
      "NameResolution.ts ObjectLiteral: { timeout: 2_000, tries: 2 }":
        "times alone; a receiver is refused after five seconds",
      "NameResolution.ts ObjectLiteral: { once: true }": "a signal aborts once",
      "NameResolution.ts BooleanLiteral: true → false": "a signal aborts once",
      'NameResolution.ts ConditionalExpression: answer.status === "rejected" → true':
        "a fulfilled answer has addresses",
      "Receiver.ts Regex:": "the host of a URL has brackets at its ends alone"
    }
  }
]
