/** Compares presented tokens with a secret in constant time. */
import { createHash, timingSafeEqual } from "node:crypto"
import { type Secret, secretText } from "@solar-sites/core/options"
import type { HttpServerRequest } from "effect/http"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Time does not depend on the place of the first difference. */
export const isToken = (presented: string, token: Secret): boolean =>
  timingSafeEqual(digest(presented), digest(secretText(token)))

/** The bearer token of the header `Authorization`; undefined without one. */
export const bearerOf = ({
  headers: { authorization = "" }
}: HttpServerRequest.HttpServerRequest): string | undefined => {
  const [scheme = "", ...sent] = authorization.split(" ")
  return scheme.toLowerCase() === "bearer" ? sent.join(" ") : undefined
}
