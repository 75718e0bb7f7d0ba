/**
 * The API reference for people, as one page that needs no other address. In a
 * module of its own, since the page brings its program along.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar } from "effect/http-api"

const anyRequest = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))

/** The page as bytes, and the headers that keep it from loading, sending or being framed by anything else. */
export interface ApiReferencePage {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

// The page's program writes its own styles.
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

/** The page for this contract. */
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
