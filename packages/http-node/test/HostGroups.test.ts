import { Context, Data, Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { MaximumBody } from "../src/contract/index.ts"
import { type HostMiddleware, HostRefused, hostGroup, reply, replyNothing } from "../src/index.ts"
import { useMember } from "./Serving.ts"
import { bindings, caller } from "./Setup.ts"

const { setup } = useMember()

const params = { id: Schema.FiniteFromString }

class Notes extends HttpApiGroup.make("notes")
  .add(
    HttpApiEndpoint.get("list", "/notes", {
      query: { tag: Schema.optionalKey(Schema.Array(Schema.String)) },
      success: Schema.Struct({ tags: Schema.Array(Schema.String), reader: Schema.String })
    }),
    HttpApiEndpoint.put("replace", "/notes/:id", {
      params,
      payload: Schema.Struct({ text: Schema.NonEmptyString }),
      success: Schema.Struct({ id: Schema.Finite, text: Schema.String })
    }),
    HttpApiEndpoint.delete("delete", "/notes/:id", { params })
  )
  .annotateEndpoints(MaximumBody, 100) {}

class Reader extends Context.Service<Reader, string>()("Reader") {}

const nameMissing = new HostRefused({ status: 401, code: "name_missing", title: "Name missing", detail: "Say a name." })

class NoteMissing extends Data.TaggedError("NoteMissing")<Record<never, never>> {}

const noteMissing = new HostRefused({ status: 404, code: "note_missing", title: "Note missing", detail: "It is gone." })

const named: HostMiddleware<Reader, NoteMissing> = ({ request }, _, serve) => {
  const name = request.headers["x-name"]
  if (name === undefined) return Effect.fail(nameMissing)
  const served = Effect.provideService(serve, Reader, name)
  return Effect.catchTag(served, "NoteMissing", () => Effect.fail(noteMissing))
}

const endpoints = hostGroup(Notes, named, {
  list: ({ query: { tag = [] } }) => Effect.map(Reader, (reader) => reply({ tags: tag, reader })),
  replace: ({ params, payload }) => Effect.succeed(reply({ id: params.id, text: payload.text })),
  delete: ({ params }) => (params.id === 0 ? Effect.fail(new NoteMissing()) : Effect.succeed(replyNothing))
})

describe.each(Object.entries(bindings))("a group of the host with %s", (_, bind) => {
  const withNotes = async (use: (send: ReturnType<typeof caller>) => Promise<void>) => {
    const binding = await bind(setup().ports, { endpoints })
    await use(caller(binding, null)).finally(binding.close)
  }
  const headers = { "x-name": "Ada" }

  it("hands over the decoded query, path and body, and what its middleware provides", () =>
    withNotes(async (send) => {
      expect((await send("GET /notes?tag=a&tag=b", { headers })).json).toEqual({ tags: ["a", "b"], reader: "Ada" })
      expect((await send("GET /notes?tag=a", { headers })).json).toEqual({ tags: ["a"], reader: "Ada" })
      expect((await send("PUT /notes/7", { body: { text: "x" }, headers })).json).toEqual({
        id: 7,
        text: "x"
      })
      expect((await send("DELETE /notes/7?more=1", { headers })).status).toBe(204)
    }))

  it("refuses by its middleware before the body, and by the body before the path", () =>
    withNotes(async (send) => {
      const refusal = async (path: string, body: unknown, sent: Record<string, string> = headers) => {
        const answer = await send(`PUT ${path}`, { body, headers: sent })
        return Object(answer.json).code
      }
      expect(await refusal("/notes/one", { text: "" }, {})).toBe("name_missing")
      expect(await refusal("/notes/one", { text: "x".repeat(100) })).toBe("body_too_large")
      expect(await refusal("/notes/one", { text: "" })).toBe("validation_failed")
      expect(await refusal("/notes/one", { text: "x" })).toBe("route_not_found")
    }))

  it("lets its middleware refuse what a handler fails with", () =>
    withNotes(async (send) => {
      expect((await send("DELETE /notes/0", { headers })).json).toMatchObject({ status: 404, code: "note_missing" })
    }))

  it("names all faults, unknown members and unknown parameters", () =>
    withNotes(async (send) => {
      const faults = async (answer: ReturnType<typeof send>) =>
        Object((await answer).json).errors.map(({ code, pointer }: Record<string, string>) => [pointer, code])
      expect(await faults(send("PUT /notes/7", { body: { text: "", more: 1 }, headers }))).toEqual([
        ["/more", "unknown_member"],
        ["/text", "invalid_value"]
      ])
      expect(await faults(send("GET /notes?more=1", { headers }))).toEqual([["/more", "unknown_parameter"]])
    }))
})
