import { join } from "node:path"
import { PgClient } from "@solar-sites/adapter-postgres"
import {
  type AccessChanges,
  ApiKeyOwners,
  ApiKeySecret,
  apiKeyRecords,
  type OrganisationId,
  type Records,
  type UserId
} from "@solar-sites/core"
import { anApiKey } from "@solar-sites/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Manager, operatorOf } from "../../../src/accounts/people/Authority.ts"
import * as KeyOwners from "../../../src/accounts/people/KeyOwners.ts"
import { type Role, scopesOf } from "../../../src/accounts/people/Role.ts"
import type { UserChange } from "../../../src/accounts/people/UserRules.ts"
import { listUsers, userChanges } from "../../../src/accounts/people/Users.ts"
import { ownSchemas, withoutPostgres } from "../../ExternalDatabase.ts"
import { migratedAt } from "../../Prepared.ts"
import { temporaryFolder, type Variables } from "../../SolarSitesProcess.ts"
import { only, type Test } from "../AccountDatabases.ts"
import { type AccountsSetup, accountsSetup, type Person, word } from "../AccountsSetup.ts"

const schemas = ownSchemas()
let folder: Awaited<ReturnType<typeof temporaryFolder>>

const inBoth = "give keys the scopes of the role, and delete them with the user"

const databases: ReadonlyArray<readonly [string, boolean, number, () => Promise<Variables>, Test]> = [
  ["an embedded database", false, 10, () => migratedAt(join(folder.path, "data")), only([inBoth])],
  ["a Postgres server", withoutPostgres, 40, async () => ({ ...schemas.next(), QUERY_TIMEOUT: "30s" }), it]
]

beforeAll(async () => {
  folder = await temporaryFolder()
})

afterAll(async () => {
  await schemas.drop()
  await folder[Symbol.asyncDispose]()
})

describe.each(databases)("changes of users on %s", (_, isMissing, races, variables, it) => {
  describe.skipIf(isMissing)("that is available", () => {
    let setup: AccountsSetup

    beforeAll(async () => {
      setup = accountsSetup(await variables())
      await setup.newOrganisation()
    })

    afterAll(() => setup.close())

    /** Users with these roles in a new organisation. The first is its owner. */
    const people = async <const Roles extends ReadonlyArray<Role>>(...roles: Roles) => {
      const { id } = await setup.newOrganisation()
      const made: Array<Person> = []
      for (const role of roles) made.push(await setup.join(id, word, role))
      // One person per role.
      return made as { readonly [Index in keyof Roles]: Person }
    }

    const managerOf = ({ user }: Person): Manager => user

    const outcome = <E extends { readonly _tag: string }>(effect: Effect.Effect<unknown, E, AccessChanges | Records>) =>
      setup.run(Effect.match(effect, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag }))

    const change = ({ organisationId, user }: Person, to: UserChange | "deleted", by: Person | "operator") =>
      outcome(
        Effect.flatMap(userChanges, (changes) => {
          const manager = by === "operator" ? operatorOf(organisationId) : managerOf(by)
          return to === "deleted" ? changes.delete(user.id, manager) : changes.update(user.id, to, manager)
        })
      )

    const rolesIn = async (organisationId: OrganisationId) =>
      (await setup.run(Effect.flatMap(listUsers, (list) => list(operatorOf(organisationId))))).map(({ role }) => role)

    it("are allowed by the roles of both, for others and oneself", async () => {
      const roles = ["owner", "admin", "member", "viewer"] as const
      const isLower = (role: Role, than: Role) => roles.indexOf(role) >= roles.indexOf(than)
      const manages = (by: Role, role: Role) => by === "owner" || (by === "admin" && role !== "owner")
      const [owner, admin, member, viewer] = await people(...roles)
      const byRole = { owner, admin, member, viewer }
      const secondOwner = await setup.join(owner.organisationId)
      for (const by of roles) {
        for (const role of roles) {
          const target = await setup.join(owner.organisationId, word, role)
          for (const given of roles) {
            const expected = manages(by, role) && manages(by, given) ? "done" : "RoleInsufficient"
            expect([by, role, given, await change(target, { role: given }, byRole[by])]).toEqual([
              by,
              role,
              given,
              expected
            ])
            await change(target, { role }, "operator")
          }
          const expected = manages(by, role) ? "done" : "RoleInsufficient"
          expect([by, role, await change(target, { name: "Eve" }, byRole[by])]).toEqual([by, role, expected])
          expect([by, role, await change(target, "deleted", byRole[by])]).toEqual([by, role, expected])
          // A user changes itself.
          const own = await change(byRole[by], { role }, byRole[by])
          expect([by, role, own]).toEqual([by, role, isLower(role, by) ? "done" : "RoleInsufficient"])
          await change(byRole[by], { role: by }, "operator")
        }
        expect(await change(byRole[by], { name: "Ada Lovelace" }, byRole[by])).toBe("done")
      }
      expect(await change(viewer, "deleted", viewer)).toBe("RoleInsufficient")
      expect(await change(admin, "deleted", admin)).toBe("done")
      expect(await change(secondOwner, "deleted", secondOwner)).toBe("done")
    })

    it("stay within the organisation", async () => {
      const [[owner], [stranger]] = [await people("owner"), await people("owner")]
      const foreign = { ...stranger, organisationId: owner.organisationId }
      expect(await change(foreign, { role: "viewer" }, owner)).toBe("UserNotFound")
      expect(await change(foreign, "deleted", owner)).toBe("UserNotFound")
      expect(await rolesIn(stranger.organisationId)).toEqual(["owner"])
    })

    it("are refused to a manager who has lost the role meanwhile", async () => {
      const [owner, second, admin, member] = await people("owner", "owner", "admin", "member")
      await change(second, { role: "viewer" }, owner)
      await change(admin, "deleted", owner)
      for (const by of [second, admin]) {
        expect(await change(member, { role: "viewer" }, by)).toBe("RoleInsufficient")
        expect(await change(member, "deleted", by)).toBe("RoleInsufficient")
      }
      expect(await change(second, { role: "admin" }, second)).toBe("RoleInsufficient")
      expect(await rolesIn(owner.organisationId)).toEqual(["owner", "viewer", "member"])
    })

    it("leave an owner; the operator may delete the only user", async () => {
      const [owner, member] = await people("owner", "member")
      for (const by of [owner, "operator"] as const) {
        expect(await change(owner, { role: "admin" }, by)).toBe("LastOwner")
        expect(await change(owner, "deleted", by)).toBe("LastOwner")
      }
      expect(await change(owner, { role: "owner", name: "Still" }, owner)).toBe("done")
      await change(member, "deleted", owner)
      expect(await change(owner, "deleted", owner)).toBe("LastOwner")
      expect(await change(owner, "deleted", "operator")).toBe("done")
      await expect(setup.join(owner.organisationId, word, "admin")).rejects.toMatchObject({ _tag: "LastOwner" })
      expect((await setup.join(owner.organisationId)).user.role).toBe("owner")
    })

    it(`leave an owner in each of ${races} races of two owners against each other`, async () => {
      const race = async (index: number) => {
        const [one, other, third] = await people("owner", "owner", index % 3 === 0 ? "owner" : "member")
        const to = (side: number) => ((index >> side) % 2 === 0 ? "deleted" : { role: "viewer" as const })
        // A deletion of oneself, of the other, or of both.
        const [first, second] = index % 5 === 0 ? [one, other] : [other, one]
        const found = await Promise.all([change(first, to(1), one), change(second, to(2), other)])
        const roles = await rolesIn(one.organisationId)
        expect(roles.filter((role) => role === "owner").length).toBeGreaterThan(0)
        if (third.user.role === "member") expect(found.toSorted()[1]).toBe("done")
        return found.join()
      }
      const found: Array<string> = []
      for (let index = 0; index < races; index += 10) {
        found.push(...(await Promise.all(Array.from({ length: 10 }, (_, lane) => race(index + lane)))))
      }
      expect(found.some((outcomes) => outcomes.includes("LastOwner"))).toBe(true)
    })

    const keyOf = async (organisationId: OrganisationId, createdBy: UserId | null) => {
      const apiKey = anApiKey({ organisationId, createdBy })
      const digest = ApiKeySecret.digest(await setup.run(ApiKeySecret.generate))
      await setup.run(Effect.flatMap(apiKeyRecords, (store) => store.insert(organisationId, apiKey, digest)))
      return apiKey
    }

    const keysIn = (organisationId: OrganisationId) =>
      setup.run(
        Effect.map(
          Effect.flatMap(apiKeyRecords, (store) => store.list(organisationId, { after: null, limit: 10 })),
          ({ items }) => items.map(({ id }) => id)
        )
      )

    const ownerScopes = (organisationId: OrganisationId, userId: UserId) =>
      setup.run(
        Effect.flatMap(ApiKeyOwners, ({ scopesOf }) => scopesOf(organisationId, userId)).pipe(
          Effect.provide(KeyOwners.layer)
        )
      )

    it(inBoth, async () => {
      const [owner, member] = await people("owner", "member")
      const { organisationId } = owner
      const kept = [await keyOf(organisationId, owner.user.id), await keyOf(organisationId, null)]
      await keyOf(organisationId, member.user.id)
      await keyOf(organisationId, member.user.id)
      expect(await ownerScopes(organisationId, member.user.id)).toEqual(scopesOf("member"))
      await change(member, { role: "viewer" }, owner)
      expect(await ownerScopes(organisationId, member.user.id)).toEqual(scopesOf("viewer"))
      expect(await ownerScopes(organisationId, owner.user.id)).toBe("all")
      await change(member, "deleted", owner)
      expect(await keysIn(organisationId)).toEqual(kept.map(({ id }) => id))
      // For keys that were created during the deletion.
      expect(await ownerScopes(organisationId, member.user.id)).toBe("deleted")
    })

    it("do not limit keys of users of other systems", async () => {
      const [[owner], [stranger]] = [await people("owner"), await people("owner", "viewer")]
      for (const id of ["user-7", crypto.randomUUID(), stranger.user.id]) {
        // `as`: an id of another system.
        expect(await ownerScopes(owner.organisationId, id as UserId)).toBe("all")
      }
    })

    it("leave nothing behind when the organisation is deleted", async () => {
      const [owner, member] = await people("owner", "member")
      await change(member, "deleted", owner)
      const rows = await setup.run(
        PgClient.use(({ run, schema }) => {
          const parameters = [owner.organisationId]
          const remove = {
            operation: "delete",
            text: `delete from ${schema}.organisation where id = $1::uuid returning id`,
            parameters
          }
          const text = `select count(*)::text from ${schema}.console_deleted_user where organisation_id = $1::uuid`
          const scope = { organisationId: owner.organisationId }
          return Effect.andThen(run({ ...remove, scope }), run({ operation: "count", text, parameters, scope }))
        })
      )
      expect(rows).toEqual([["0"]])
    })
  })
})
