/**
 * Rules that StrykerJS mutates, and the tests that belong to them.
 */

export interface RuleArea {
  readonly name: string
  /** Sources in the workspace. */
  readonly mutate: ReadonlyArray<string>
  /** Test files by package, as patterns inside `test/`. */
  readonly tests: Readonly<Record<string, ReadonlyArray<string>>>
}

export const ruleAreas: ReadonlyArray<RuleArea> = [
  {
    name: "authentication",
    mutate: [
      "packages/core/src/api-keys/ApiKeyAuthenticator.ts",
      "packages/core/src/api-keys/ApiKeySecret.ts",
      "packages/core/src/caller/AccessGuard.ts",
      "packages/core/src/caller/ApiScope.ts",
      "packages/core/src/documents/DocumentOperations.ts",
      "packages/core/src/sites/SiteOperations.ts"
    ],
    tests: {
      core: ["api-keys/*", "caller/Scopes*", "promises/Callers*"],
      "http-node": ["Scopes*"]
    }
  },
  {
    name: "isolation",
    mutate: [
      "packages/core/src/storage/StorageKey.ts",
      "packages/core/src/events/EventOrigin.ts",
      "packages/core/src/sites/CoverImages.ts",
      "packages/adapter-postgres/src/client/PgStatementId.ts"
    ],
    tests: {
      core: ["storage/*", "sites/*", "events/EventOrigin", "documents/Documents", "promises/Callers*"],
      "adapter-postgres": ["PgStatementId*"],
      testing: ["MemoryEventRepository"]
    }
  },
  {
    name: "states",
    mutate: [
      "packages/core/src/documents/DocumentStatus.ts",
      "packages/core/src/documents/StatusChange.ts",
      "packages/core/src/documents/UploadVerification.ts"
    ],
    tests: { core: ["documents/*"], "http-node": ["Documents*", "DocumentInput*"] }
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
    }
  },
  {
    name: "validation",
    mutate: [
      "packages/core/src/input/{Text,CalendarDate,Csv,Timestamp,Uuid,BoundedArray}.ts",
      "packages/core/src/sites/Capacity.ts",
      "packages/core/src/lists/Cursor.ts"
    ],
    tests: {
      core: ["input/*", "sites/Capacity*", "lists/*"],
      "http-node": ["Csv*", "Finding*"]
    }
  },
  {
    name: "addresses",
    mutate: [
      "packages/http-node/src/webhooks/AddressRanges.ts",
      "packages/http-node/src/webhooks/NameResolution.ts",
      "packages/http-node/src/webhooks/Receiver.ts"
    ],
    tests: { "http-node": ["webhooks/*"] }
  }
]
