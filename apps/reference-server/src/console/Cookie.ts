/**
 * Cookies that hold a token. Over https their names have the prefix `__Host-`, so
 * that other hosts and insecure connections cannot set them.
 */
import { Redacted } from "effect"
import * as SessionToken from "../accounts/sessions/SessionToken.ts"

type Headers = Readonly<Record<string, string | undefined>>

export interface TokenCookie {
  /** True if the request has the cookie, valid or not. */
  readonly isIn: (headers: Headers) => boolean
  /** `undefined` without a token, and with two: another host has set one of them. */
  readonly read: (headers: Headers) => SessionToken.SessionToken | undefined
  readonly set: (token: SessionToken.SessionToken) => Readonly<Record<"set-cookie", string>>
  readonly clear: Readonly<Record<"set-cookie", string>>
}

const tokenCookie = (plainName: string, isSecure: boolean, options: string): TokenCookie => {
  const name = isSecure ? `__Host-${plainName}` : plainName
  const attributes = `; Path=/; HttpOnly; ${options}${isSecure ? "; Secure" : ""}`
  const pairsIn = ({ cookie = "" }: Headers) =>
    cookie
      .split(";")
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${name}=`))
  return {
    isIn: (headers) => pairsIn(headers).length > 0,
    read: (headers) => {
      const [value, ...others] = pairsIn(headers)
      return value === undefined || others.length > 0 ? undefined : SessionToken.parse(value.slice(name.length + 1))
    },
    set: (token) => ({ "set-cookie": `${name}=${Redacted.value(token)}${attributes}` }),
    clear: { "set-cookie": `${name}=${attributes}; Max-Age=0` }
  }
}

/** A cookie without expiry; `isSecure` is true over https. */
export const sessionCookie = (isSecure: boolean): TokenCookie =>
  tokenCookie("solar_session", isSecure, "SameSite=Strict")

/** For 10 minutes. Sent with the navigation from the OpenID provider, as `Lax` allows. */
export const openIdCookie = (isSecure: boolean): TokenCookie =>
  tokenCookie("solar_oidc", isSecure, "SameSite=Lax; Max-Age=600")
