/**
 * Cookie of the session token. Over https its name has the prefix `__Host-`, so
 * that other hosts and insecure connections cannot set it.
 */
import { Redacted } from "effect"
import * as SessionToken from "../accounts/SessionToken.ts"

type Headers = Readonly<Record<string, string | undefined>>

export interface SessionCookie {
  /** True if the request has the cookie, valid or not. */
  readonly isIn: (headers: Headers) => boolean
  /** `undefined` without a token, and with two: another host has set one of them. */
  readonly read: (headers: Headers) => SessionToken.SessionToken | undefined
  readonly set: (token: SessionToken.SessionToken) => Readonly<Record<"set-cookie", string>>
  readonly clear: Readonly<Record<"set-cookie", string>>
}

/** A cookie without expiry; `isSecure` is true over https. */
export const sessionCookie = (isSecure: boolean): SessionCookie => {
  const name = isSecure ? "__Host-solar_session" : "solar_session"
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`
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
