import { describe, expect, it } from "@effect/vitest"
import {
  type AccessChange,
  AccessChanges,
  OrganisationInactive,
  OrganisationNotFound,
  Organisations
} from "@solar-sites/core"
import { anOrganisationId } from "@solar-sites/testing"
import { Effect } from "effect"
import { services } from "../services.ts"

describe("Organisations", () => {
  it.effect("creates active organisations, also with equal names, and lists them oldest first", () =>
    Effect.gen(function* () {
      const organisations = yield* Organisations
      const made = [yield* organisations.create({ name: "Twin" }), yield* organisations.create({ name: "Twin" })]
      expect(made.map(({ status }) => status)).toEqual(["active", "active"])
      expect(yield* organisations.list()).toEqual({ data: made, nextCursor: null })
    }).pipe(Effect.provide(services))
  )

  it.effect("notifies every listener when an organisation is activated or deactivated, and only then", () =>
    Effect.gen(function* () {
      const organisations = yield* Organisations
      const heard: Array<AccessChange> = []
      yield* (yield* AccessChanges).listen((change) => Effect.sync(() => void heard.push(change)))
      const { id: organisationId } = yield* organisations.create({ name: "A" })
      yield* organisations.update(organisationId, { name: "B" })
      expect(heard).toEqual([])
      yield* organisations.update(organisationId, { status: "inactive" })
      yield* organisations.update(organisationId, { status: "active" })
      expect(heard).toEqual([{ organisationId }, { organisationId }])
    }).pipe(Effect.scoped, Effect.provide(services))
  )

  it.effect("notifies every listener before and after the contents of a deleted organisation are removed", () =>
    Effect.gen(function* () {
      const organisations = yield* Organisations
      const heard: Array<AccessChange> = []
      yield* (yield* AccessChanges).listen((change) => Effect.sync(() => void heard.push(change)))
      const ids = [(yield* organisations.create({ name: "A" })).id, (yield* organisations.create({ name: "B" })).id]
      for (const organisationId of ids) {
        yield* organisations.delete(organisationId)
        expect(heard.splice(0)).toEqual([{ organisationId }, { organisationId }])
      }
    }).pipe(Effect.scoped, Effect.provide(services))
  )

  it("are named by the messages of refusals", () => {
    for (const organisationId of [anOrganisationId(), anOrganisationId()]) {
      expect(new OrganisationNotFound({ organisationId }).message).toBe(`No such organisation: ${organisationId}`)
      const { message } = new OrganisationInactive({ organisationId })
      expect(message).toBe(`The organisation ${organisationId} is inactive`)
    }
  })

  it.effect("knows nothing of an organisation that is not there", () =>
    Effect.gen(function* () {
      const organisations = yield* Organisations
      const organisationId = anOrganisationId()
      const refusals = yield* Effect.forEach(
        [organisations.get(organisationId), organisations.update(organisationId, { status: "inactive" })],
        Effect.flip
      )
      expect(refusals.map(({ code }) => code)).toEqual(["organisation_not_found", "organisation_not_found"])
    }).pipe(Effect.provide(services))
  )
})
