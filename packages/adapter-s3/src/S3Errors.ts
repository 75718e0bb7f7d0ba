/**
 * What the failures of the AWS SDK mean.
 */

interface Failure {
  /** The code that S3 gave, or the name of the error. */
  readonly name: string
  readonly status: number | undefined
}

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

export const failureOf = (cause: unknown): Failure => {
  const status = member(member(cause, "$metadata"), "httpStatusCode")
  return {
    // HEAD has no body, so that the SDK finds no code in it and falls back on this one.
    name: String(member(cause, "Code") ?? member(cause, "name") ?? member(cause, "code") ?? "Unknown"),
    status: typeof status === "number" ? status : undefined
  }
}

/** True when the store says that there is nothing; refusing to say is no such answer. */
export const isAbsent = (cause: unknown): boolean => {
  const { name, status } = failureOf(cause)
  return status === 404 && name !== "NoSuchBucket"
}

/** In words, where there is no answer of a store. Trying several addresses in vain has no message but a code. */
export const messageOf = (cause: unknown): string =>
  [member(cause, "message"), member(cause, "code"), member(cause, "name")]
    .map((text) => String(text ?? ""))
    .find(Boolean) ?? String(cause)
