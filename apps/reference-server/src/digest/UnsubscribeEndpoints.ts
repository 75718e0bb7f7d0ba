import { RandomBytes, ValidationFailed } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { Effect } from "effect"
import { asUser } from "../accounts/Commands.ts"
import { userChanges } from "../accounts/people/Users.ts"
import { problem } from "../console/ConsoleProblems.ts"
import { RequestLanguage } from "../console/Language.ts"
import { limitLinks } from "../console/WithSession.ts"
import { mailTextsIn } from "../mail/texts/languages.ts"
import { unsubscribePath } from "./DigestLetter.ts"
import { isSigned, subjectIn } from "./DigestLink.ts"
import { digestStore } from "./DigestStore.ts"
import { donePage, invalidPage, oneClick, questionPage } from "./UnsubscribePage.ts"

const maximumBytes = 16_384

const linkInvalid = problem(
  410,
  "link_invalid",
  "This link is incomplete, or its user was deleted. Log in and choose the digest in My account."
)

const fieldMissing = new ValidationFailed({
  faults: [
    { pointer: `/${oneClick.name}`, code: "invalid_value", detail: `must be a field with the value ${oneClick.value}` }
  ]
})

const tokenOf = ({ request }: HostEndpointRequest): string => {
  const [token, ...others] = new URL(request.url, "http://localhost").searchParams.getAll("token")
  return token === undefined || others.length > 0 ? "" : token
}

/** Fields of a form, in both encodings that mail programs use. */
const readField = Effect.fnUntraced(function* ({ readBytes, request }: HostEndpointRequest) {
  const body = yield* readBytes(maximumBytes)
  const headers = { "content-type": request.headers["content-type"] ?? "" }
  const form = yield* Effect.tryPromise({
    // A copy: the bytes may be a part of a shared buffer, which the type of a body excludes.
    try: () => new Response(Uint8Array.from(body), { headers }).formData(),
    catch: () => fieldMissing
  })
  return form.get(oneClick.name)
})

export const unsubscribeEndpoints = Effect.gen(function* () {
  const store = yield* digestStore
  const changes = yield* userChanges
  const randomBytes = yield* RandomBytes
  const nonce = () => Buffer.from(randomBytes(16)).toString("base64")

  /** A page in the language of the request. */
  const answerWith = (pageOf: typeof questionPage) =>
    Effect.map(RequestLanguage, (language) => pageOf(mailTextsIn(language), nonce()))

  const find = Effect.fnUntraced(function* (token: string) {
    const subject = subjectIn(token)
    if (subject === undefined) return yield* linkInvalid
    const key = yield* store.linkKey(subject)
    if (key === null || !isSigned(token, subject, key)) return yield* linkInvalid
    return subject
  })

  /** An invalid link counts as a failed authentication. */
  const found = (incoming: HostEndpointRequest) => limitLinks(incoming, find(tokenOf(incoming)), linkInvalid)

  const ask: HostEndpoint["serve"] = (incoming) =>
    found(incoming).pipe(
      Effect.flatMap(() => answerWith(questionPage)),
      Effect.catchIf(
        (refusal) => refusal === linkInvalid && (incoming.request.headers["accept"] ?? "").includes("text/html"),
        () => answerWith(invalidPage)
      )
    )

  const end: HostEndpoint["serve"] = Effect.fnUntraced(function* (incoming) {
    if ((yield* readField(incoming)) !== oneClick.value) return yield* fieldMissing
    const { organisationId, userId: id } = yield* found(incoming)
    yield* changes.updateOwn({ organisationId, id }, { digest: "none" }).pipe(
      asUser({ organisationId, id }),
      Effect.catchTag("UserNotFound", () => Effect.fail(linkInvalid))
    )
    return yield* answerWith(donePage)
  })

  return [
    { method: "GET", path: unsubscribePath, serve: ask },
    { method: "POST", path: unsubscribePath, serve: end }
  ] satisfies ReadonlyArray<HostEndpoint>
})
