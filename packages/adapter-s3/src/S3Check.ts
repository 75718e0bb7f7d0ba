/** Check of bucket, credentials and clock, for the start of a server. */
import { HeadObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3"
import { OrganisationId, type StorageError, storageKey } from "@solar-sites/core"
import { Clock, Effect, type Layer } from "effect"
import { S3Bucket } from "./S3Bucket.ts"
import { failureOf, isAbsent, messageOf } from "./S3Errors.ts"

/**
 * A problem, in one sentence. With a `failure` uploads do not work; with a
 * `warning` they may fail later.
 */
export interface S3Finding {
  readonly severity: "failure" | "warning"
  readonly message: string
}

// The nil UUID belongs to no organisation: real ids are UUIDs of version 7.
const nil = "00000000-0000-0000-0000-000000000000"
const absentKey = storageKey({ organisationId: OrganisationId.make(nil), siteId: nil, documentId: nil })

const messages: Readonly<Record<string, (bucket: string) => string>> = {
  NoSuchBucket: (bucket) => `The bucket "${bucket}" does not exist.`,
  InvalidAccessKeyId: () => "The store does not know the access key id; check the AWS credentials.",
  SignatureDoesNotMatch: () => "The secret access key does not belong to the access key id; check the AWS credentials.",
  ExpiredToken: () => "The session token of the AWS credentials has expired.",
  InvalidToken: () => "The session token of the AWS credentials is not valid.",
  CredentialsProviderError: () =>
    "No AWS credentials were found, neither in the environment nor in any profile or role.",
  AccessDenied: (bucket) => `The credentials may not list the bucket "${bucket}"; they need s3:ListBucket on it.`,
  RequestTimeTooSkewed: () => "The store refuses requests because this machine's clock is wrong.",
  PermanentRedirect: (bucket) => `The bucket "${bucket}" lies in another region; check S3_REGION and S3_ENDPOINT.`,
  AuthorizationHeaderMalformed: () =>
    "The store expects another region than the one that requests are signed for; check S3_REGION."
}

const messageFor = (bucket: string, cause: unknown): string => {
  const { name, status } = failureOf(cause)
  const known = messages[name]
  if (known !== undefined) return known(bucket)
  if (status === 403) return `The store refuses the credentials for the bucket "${bucket}" (${name}).`
  if (status === 404) return `The endpoint answers, but not as S3 does (404 ${name}); check S3_ENDPOINT.`
  if (status !== undefined) return `The store answered ${status} (${name}) instead of listing the bucket "${bucket}".`
  return `The store could not be reached: ${messageOf(cause).replace(/\.$/, "")}.`
}

/**
 * Milliseconds: our clock before and after a request, and the `Date` of its response (NaN without
 * one).
 */
interface Instants {
  readonly before: number
  readonly after: number
  readonly server: number
}

const warnAboveSeconds = 5
const failAboveSeconds = 30

/** Least number of seconds that our clock is ahead of the store's; negative if it is behind. */
const aheadSeconds = ({ after, before, server }: Instants): number => {
  // `Date` has no fraction of a second and was written between `before` and `after`.
  if (before > server + 999) return (before - server - 999) / 1_000
  if (after < server) return (after - server) / 1_000
  return 0
}

const skewFinding = (instants: Instants): ReadonlyArray<S3Finding> => {
  if (Number.isNaN(instants.server)) return []
  const ahead = aheadSeconds(instants)
  const seconds = Math.round(Math.abs(ahead))
  if (Math.abs(ahead) <= warnAboveSeconds) return []
  const consequence =
    ahead < 0
      ? `upload addresses lapse ${seconds} s early`
      : `addresses may be refused as not valid yet, or hold ${seconds} s too long`
  return [
    {
      severity: Math.abs(ahead) > failAboveSeconds ? "failure" : "warning",
      message: `This machine's clock is ${seconds} s ${ahead < 0 ? "behind" : "ahead of"} the store's, so that ${consequence}; set it by NTP.`
    }
  ]
}

/**
 * Lists the bucket and reads an absent object. This shows whether the bucket
 * exists, the credentials may read, and the clocks agree. Writes nothing. Succeeds
 * with the problems; empty if there are none.
 */
export const check: Effect.Effect<ReadonlyArray<S3Finding>, never, S3Bucket> = Effect.gen(function* () {
  const { bucket: Bucket, request } = yield* S3Bucket
  let date: string | undefined

  const list = request("S3Bucket.check", (client, options) => {
    const command = new ListObjectsV2Command({ Bucket, MaxKeys: 1 })
    // Below the deserializer, so that responses with an error are read too.
    command.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args)
        const headers: unknown = Reflect.get(Object(result.response), "headers")
        const serverDate: unknown = Reflect.get(Object(headers), "date")
        if (typeof serverDate === "string") date = serverDate
        return result
      },
      { step: "deserialize", priority: "low", name: "solarSitesServerDate" }
    )
    return client.send(command, options).then(({ Name }) => {
      if (Name === undefined) throw new Error("the endpoint is not an S3 store; check S3_ENDPOINT")
    })
  })

  const head = request("S3Bucket.check", (client, options) =>
    client.send(new HeadObjectCommand({ Bucket, Key: absentKey }), options)
  ).pipe(
    Effect.as<ReadonlyArray<S3Finding>>([]),
    Effect.catch(({ cause }) => {
      const unreadable = `The credentials may list the bucket "${Bucket}" but not read from it; they need s3:GetObject.`
      return Effect.succeed<ReadonlyArray<S3Finding>>(
        isAbsent(cause)
          ? []
          : [
              {
                severity: "failure",
                message: failureOf(cause).status === 403 ? unreadable : messageFor(Bucket, cause)
              }
            ]
      )
    })
  )

  const failed = ({ cause }: StorageError): Effect.Effect<ReadonlyArray<S3Finding>> =>
    Effect.succeed([{ severity: "failure", message: messageFor(Bucket, cause) }])

  const before = yield* Clock.currentTimeMillis
  const listed = yield* list.pipe(Effect.as<ReadonlyArray<S3Finding>>([]), Effect.catch(failed))
  const instants: Instants = { before, after: yield* Clock.currentTimeMillis, server: Date.parse(date ?? "") }
  const read = listed.length > 0 ? [] : yield* head
  return [...listed, ...read, ...skewFinding(instants)]
})

/** For hosts without Effect. `storage` is the `layer` of this package, opened for the call. */
export const promises: {
  readonly check: (storage: Layer.Layer<S3Bucket, unknown>) => Promise<ReadonlyArray<S3Finding>>
} = { check: (storage) => Effect.runPromise(Effect.provide(check, storage)) }
