/**
 * The look at the store that a server takes when it starts.
 *
 * @since 0.1.0
 */
import { HeadObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3"
import { OrganisationId, type StorageError, storageKey } from "@solar-sites/core"
import { Clock, Effect } from "effect"
import { S3Bucket } from "./S3Bucket.ts"
import { failureOf, isAbsent, messageOf } from "./S3Errors.ts"
import { type Instants, skewFinding } from "./S3Skew.ts"

/**
 * Something that is wrong, in one sentence. With a `failure` uploads cannot
 * work; with a `warning` they may soon not.
 *
 * @category models
 * @since 0.1.0
 */
export interface S3Finding {
  readonly severity: "failure" | "warning"
  readonly sentence: string
}

const nobody = "00000000-0000-0000-0000-000000000000"
const absent = storageKey({ organisationId: OrganisationId.make(nobody), siteId: nobody, documentId: nobody })

const sentences: Readonly<Record<string, (bucket: string) => string>> = {
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

const sentenceOf = (bucket: string, cause: unknown): string => {
  const { name, status } = failureOf(cause)
  const known = sentences[name]
  if (known !== undefined) return known(bucket)
  if (status === 403) return `The store refuses the credentials for the bucket "${bucket}" (${name}).`
  if (status === 404) return `The endpoint answers, but not as S3 does (404 ${name}); check S3_ENDPOINT.`
  if (status !== undefined) return `The store answered ${status} (${name}) instead of listing the bucket "${bucket}".`
  return `The store could not be reached: ${messageOf(cause).replace(/\.$/, "")}.`
}

/**
 * Lists the bucket and looks for an object that cannot be there: enough to know
 * whether it exists, the credentials are good for reading, and the clocks agree.
 * Writes nothing. Answers what is wrong; empty when all is well.
 *
 * @category operations
 * @since 0.1.0
 */
export const check: Effect.Effect<ReadonlyArray<S3Finding>, never, S3Bucket> = Effect.gen(function* () {
  const { bucket: Bucket, request } = yield* S3Bucket
  let date: string | undefined

  const list = request("S3Bucket.check", (client, options) => {
    const command = new ListObjectsV2Command({ Bucket, MaxKeys: 1 })
    // Beneath the deserializer, so that the clock is read off refusals too.
    command.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args)
        const headers: unknown = Reflect.get(Object(result.response), "headers")
        const sent: unknown = Reflect.get(Object(headers), "date")
        if (typeof sent === "string") date = sent
        return result
      },
      { step: "deserialize", priority: "low", name: "solarSitesServerDate" }
    )
    return client.send(command, options).then(({ Name }) => {
      if (Name === undefined) throw new Error("what answers there is no S3 store; check S3_ENDPOINT")
    })
  })

  const head = request("S3Bucket.check", (client, options) =>
    client.send(new HeadObjectCommand({ Bucket, Key: absent }), options)
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
                sentence: failureOf(cause).status === 403 ? unreadable : sentenceOf(Bucket, cause)
              }
            ]
      )
    })
  )

  const failed = ({ cause }: StorageError): Effect.Effect<ReadonlyArray<S3Finding>> =>
    Effect.succeed([{ severity: "failure", sentence: sentenceOf(Bucket, cause) }])

  const before = yield* Clock.currentTimeMillis
  const listed = yield* list.pipe(Effect.as<ReadonlyArray<S3Finding>>([]), Effect.catch(failed))
  const instants: Instants = { before, after: yield* Clock.currentTimeMillis, server: Date.parse(date ?? "") }
  const read = listed.length > 0 ? [] : yield* head
  return [...listed, ...read, ...skewFinding(instants)]
})
