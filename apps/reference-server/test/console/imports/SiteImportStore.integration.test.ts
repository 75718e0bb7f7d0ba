import { randomUUID } from "node:crypto"
import { PgClient } from "@solar-sites/adapter-postgres"
import { type OrganisationId, Organisations, PortfolioId } from "@solar-sites/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { userChanges } from "../../../src/accounts/people/Users.ts"
import {
  type Progress,
  type SiteImportStore,
  type StoredImport,
  siteImportStore
} from "../../../src/console/imports/SiteImportStore.ts"
import { accountDatabases } from "../../accounts/AccountDatabases.ts"
import { type AccountsSetup, accountsSetup, type Person } from "../../accounts/AccountsSetup.ts"

const options = { upsert: true, mappings: [{ column: "Name", target: "siteName" }] }

const progressTo = (storedRow: number): Progress => ({
  checkedRow: 3_000,
  storedRow,
  created: storedRow - 1,
  updated: 0,
  unchanged: 0
})

describe.each(accountDatabases())("records of imports on %s", (_, isMissing, variables, it) => {
  describe.skipIf(isMissing)("that is there", () => {
    let setup: AccountsSetup

    beforeAll(async () => {
      setup = accountsSetup(variables(), { isFrozen: true })
      await setup.newOrganisation()
    })

    afterAll(() => setup.close())

    const call = <A>(use: (store: SiteImportStore) => Effect.Effect<A, unknown>) =>
      setup.run(Effect.orDie(Effect.flatMap(siteImportStore, use)))
    const begin = ({ organisationId, user }: Person, id: string, fingerprint = "f") =>
      call(({ begin }) =>
        begin(organisationId, { id, userId: user.id, fileName: "sites.csv", options, fingerprint, seed: randomUUID() })
      )
    const started = async (person: Person, id: string): Promise<StoredImport> => {
      const begun = await begin(person, id)
      if (begun === null) throw new Error("the import has not begun")
      return begun
    }
    const list = (organisationId: OrganisationId) => call(({ list }) => list(organisationId))
    const progress = (
      { organisationId }: Person,
      attempt: StoredImport,
      row: number,
      limit: ReadonlyArray<PortfolioId> | null = null
    ) => call(({ progress }) => progress(organisationId, attempt, progressTo(row), limit))
    const finish = ({ organisationId }: Person, attempt: StoredImport, problem: string | null) =>
      call(({ finish }) => finish(organisationId, attempt, problem))

    it("end when the user is limited to fewer portfolios than the import", async () => {
      const { organisationId } = await setup.join()
      const ada = await setup.join(organisationId, undefined, "member")
      const attempt = await started(ada, randomUUID())
      const [north, south] = [PortfolioId.make(randomUUID()), PortfolioId.make(randomUUID())]
      const limitTo = (...ids: ReadonlyArray<string>) =>
        setup.run(
          PgClient.use((client) =>
            client.run({
              operation: "test",
              text: `update ${client.schema}.console_user set portfolio_ids = $2::text::uuid[] where id = $1::uuid returning 1`,
              parameters: [ada.user.id, `{${ids.join(",")}}`]
            })
          )
        )
      expect(await progress(ada, attempt, 1)).toBe(true)
      await limitTo(north)
      expect(await progress(ada, attempt, 2)).toBe(false)
      expect(await progress(ada, attempt, 2, [north, south])).toBe(false)
      expect(await progress(ada, attempt, 2, [north])).toBe(true)
      await limitTo()
      expect(await progress(ada, attempt, 3, [north])).toBe(false)
    })

    it("begin once per id, and one at a time per organisation", async () => {
      const [ada, bob, id] = [await setup.join(), await setup.join(), randomUUID()]
      const both = await Promise.all([begin(ada, id), begin(ada, id)])
      expect(both.filter((begun) => begun !== null)).toHaveLength(1)
      expect(await begin(ada, randomUUID())).toBeNull()
      // Another organisation is not affected, even by the same id.
      expect(await begin(bob, id)).toMatchObject({ id, userId: bob.user.id, attempt: 1, state: "running" })
      expect(await list(ada.organisationId)).toMatchObject([{ id, userId: ada.user.id, options }])
    })

    it("go on after a failure and after silence, with the seed and the counts of the first attempt", async () => {
      const [ada, id] = [await setup.join(), randomUUID()]
      const first = await started(ada, id)
      expect(await progress(ada, first, 1_001)).toBe(true)
      await finish(ada, first, "The server was stopped.")
      expect(await list(ada.organisationId)).toMatchObject([{ state: "failed", problem: "The server was stopped." }])
      expect(await begin(ada, id, "another file")).toBeNull()

      const second = await started(ada, id)
      expect(second).toMatchObject({ ...progressTo(1_001), seed: first.seed, attempt: 2, problem: null })
      expect(await progress(ada, first, 2_001)).toBe(false)
      await finish(ada, first, null)
      expect(await list(ada.organisationId)).toMatchObject([{ state: "running", storedRow: 1_001 }])

      setup.advance("31 seconds")
      expect(await list(ada.organisationId)).toMatchObject([{ state: "stopped", storedRow: 1_001 }])
      const third = await started(ada, id)
      expect(third).toMatchObject({ seed: first.seed, attempt: 3 })
      expect(await progress(ada, second, 2_001)).toBe(false)
      expect(await progress(ada, third, 3_000)).toBe(true)
      await finish(ada, third, null)
      expect(await begin(ada, id)).toBeNull()
      expect(await list(ada.organisationId)).toMatchObject([{ state: "completed", ...progressTo(3_000) }])
    })

    it("end while a later import of the same organisation runs", async () => {
      const [ada, bob] = [await setup.join(), await setup.join()]
      const first = await started(ada, randomUUID())
      setup.advance("31 seconds")
      const second = await started(ada, randomUUID())
      setup.advance("1 second")
      await started(bob, randomUUID())
      expect(await progress(ada, first, 1_001)).toBe(false)
      expect(await progress(ada, second, 1_001)).toBe(true)
      await finish(ada, second, null)
      expect(await progress(ada, first, 1_001)).toBe(true)
    })

    it("end with the right of the user to import", async () => {
      const owner = await setup.join()
      const member = await setup.join(owner.organisationId, undefined, "member")
      const begun = await started(member, randomUUID())
      expect(await progress(member, begun, 1_001)).toBe(true)
      const viewing = Effect.flatMap(userChanges, ({ update }) =>
        update(member.user.id, { role: "viewer" }, owner.user)
      )
      await setup.run(Effect.orDie(viewing))
      expect(await progress(member, begun, 2_001)).toBe(false)
    })

    it("keep apart from those of another organisation with the same id", async () => {
      const [ada, bob, eve] = [await setup.join(), await setup.join(), await setup.join()]
      const id = randomUUID()
      const [own, other] = [await started(ada, id), await started(bob, id)]
      // With the id of a user of the first organisation, too.
      await started({ ...eve, user: ada.user }, id)
      const before = [await list(bob.organisationId), await list(eve.organisationId)]
      expect(await progress(ada, own, 1_001)).toBe(true)
      await finish(ada, own, null)
      expect(await list(ada.organisationId)).toMatchObject([{ state: "completed", storedRow: 1_001 }])
      expect([await list(bob.organisationId), await list(eve.organisationId)]).toEqual(before)
      const ofStranger = await started({ ...ada, user: bob.user }, randomUUID())
      expect(await progress(ada, ofStranger, 1_001)).toBe(false)
      const inactive = Organisations.use(({ update }) => update(bob.organisationId, { status: "inactive" }))
      await setup.run(Effect.orDie(inactive))
      expect(await progress(bob, other, 1_001)).toBe(false)
    })

    it("are listed the latest first, ten of them, and deleted after 30 days", async () => {
      const [ada, bob] = [await setup.join(), await setup.join()]
      await started(bob, randomUUID())
      const ids = Array.from({ length: 12 }, () => randomUUID())
      for (const id of ids) {
        await finish(ada, await started(ada, id), null)
        setup.advance("1 second")
      }
      expect((await list(ada.organisationId)).map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 10))
      setup.advance("30 days")
      const latest = await started(ada, randomUUID())
      expect((await list(ada.organisationId)).map(({ id }) => id)).toEqual([latest.id])
      expect(await list(bob.organisationId)).toHaveLength(1)
    })
  })
})
