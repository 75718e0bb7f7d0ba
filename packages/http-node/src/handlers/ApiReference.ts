/**
 * The API reference for people: one page that loads nothing from other addresses. A module of its
 * own, because it brings a program of some megabytes along.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar } from "effect/http-api"

const anyRequest = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))

/** The page, and headers that forbid it to load from, send to or be framed by other addresses. */
export interface ApiReferencePage {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

// The program of the page adds inline styles.
const contentSecurityPolicy = (html: string): string => {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  )
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

export const apiReference = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Effect.Effect<ApiReferencePage> =>
  Effect.gen(function* () {
    const serve = yield* HttpRouter.toHttpEffect(
      HttpApiScalar.layer(api, { path: "/docs", scalar: { withDefaultFonts: false, defaultOpenAllTags: true } })
    )
    const served = yield* serve
    const html = yield* Effect.promise(() => HttpServerResponse.toWeb(served).text())
    return {
      bytes: new TextEncoder().encode(html),
      headers: {
        "content-security-policy": contentSecurityPolicy(html),
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer"
      }
    }
  }).pipe(Effect.scoped, Effect.provideService(HttpServerRequest.HttpServerRequest, anyRequest), Effect.orDie)
