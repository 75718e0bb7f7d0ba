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
    unnoticed: {}
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
      core: ["storage/*", "sites/*", "documents/Documents", "promises/Callers*"],
      "adapter-postgres": ["PgCorrelation*"],
      testing: ["*EventConformance*", "MemoryAdapters*"]
    },
    unnoticed: {}
  },
  {
    name: "states",
    mutate: [
      "packages/core/src/documents/DocumentStatus.ts",
      "packages/core/src/documents/StatusChange.ts",
      "packages/core/src/documents/UploadVerification.ts"
    ],
    tests: { core: ["documents/*"], "http-node": ["Documents*", "DocumentInput*"] },
    unnoticed: {}
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
    unnoticed: {}
  }
]
