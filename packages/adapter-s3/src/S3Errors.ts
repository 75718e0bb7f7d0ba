/** Classification of errors of the AWS SDK. */

interface Failure {
  /** Error code of S3, or the name of the error. */
  readonly name: string
  readonly status: number | undefined
}

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

export const failureOf = (cause: unknown): Failure => {
  const status = member(member(cause, "$metadata"), "httpStatusCode")
  return {
    // A response to HEAD has no body and so no `Code`; the SDK sets `name`.
    name: String(member(cause, "Code") ?? member(cause, "name") ?? member(cause, "code") ?? "Unknown"),
    status: typeof status === "number" ? status : undefined
  }
}

/** True if the store answers that the object is absent. A 403 does not say so. */
export const isAbsent = (cause: unknown): boolean => {
  const { name, status } = failureOf(cause)
  return status === 404 && name !== "NoSuchBucket"
}

/**
 * Message of an error without a response. A failed connection to several addresses has only a
 * code.
 */
export const messageOf = (cause: unknown): string =>
  [member(cause, "message"), member(cause, "code"), member(cause, "name")]
    .map((text) => String(text ?? ""))
    .find(Boolean) ?? String(cause)
