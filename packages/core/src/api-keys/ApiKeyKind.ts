/**
 * API keys as records.
 */
import { DateTime, Schema } from "effect"
import { eventAbout, named } from "../records/EventAbout.ts"
import { recordKind } from "../records/RecordKind.ts"
import { ApiKey, apiKeyMembers, maximumLiveApiKeys } from "./ApiKey.ts"
import { ApiKeyDigest } from "./ApiKeySecret.ts"

/** A stored key: with the digest of its secret, and its end before any rotation. */
export class ApiKeyRecord extends Schema.Class<ApiKeyRecord>("@solar-sites/core/ApiKeyRecord")({
  ...ApiKey.fields,
  digest: ApiKeyDigest,
  issuedUntil: Schema.DateTimeUtcFromString
}) {}

export const liveApiKeys = "liveApiKeys"

export const apiKeyKind = recordKind("api_key", ApiKeyRecord, {
  generated: ["id", "digest"],
  references: [{ member: "organisationId", kind: "organisation" }],
  bounds: [
    {
      name: liveApiKeys,
      maximum: maximumLiveApiKeys,
      holds: ({ expiresAt }, at) => DateTime.isGreaterThan(expiresAt, at)
    }
  ]
})

/** An event about a change of a key. Null is the state before its creation or after its deletion. */
export const apiKeyEvent = eventAbout<ApiKeyRecord>(apiKeyMembers, named)
