import { Option } from "effect"
import { afterEach, beforeEach, describe, expect } from "vitest"
import { accountDatabases } from "../accounts/AccountDatabases.ts"
import { type DigestSetup, digestSetup } from "./DigestSetup.ts"

const databases = accountDatabases("sent on Monday at the hour, once")

describe.for(databases)("digests with %s", ([, isMissing, variables, it]) => {
  describe.skipIf(isMissing)("are", () => {
    let setup: DigestSetup

    beforeEach(() => {
      setup = digestSetup(variables())
    })

    afterEach(() => setup.close())

    it("sent on Monday at the hour, once", async () => {
      const { moveTo, ownerInNeed, sentTo, started } = setup
      const { user } = await ownerInNeed()
      const turn = await started()
      for (const [day, time] of [
        [-1, "23:59"],
        [0, "05:59"]
      ] as const) {
        moveTo(day, time)
        await turn()
      }
      expect(sentTo()).toEqual([])
      for (const [day, time] of [
        [0, "06:00"],
        [0, "06:01"],
        [1, "06:00"],
        [6, "23:59"],
        [7, "05:59"]
      ] as const) {
        moveTo(day, time)
        await turn()
        expect(sentTo()).toEqual([user.email])
      }
      moveTo(7, "06:00")
      await turn()
      expect(sentTo()).toEqual([user.email, user.email])
    })

    it("in the language of the user's last login, and in that of the server until then", async () => {
      const { choose, logInSpeaking, moveTo, ownerInNeed, sent, started } = setup
      const owner = await ownerInNeed()
      const turn = await started(undefined, "de")
      await choose(owner, "daily")
      for (const [day, language] of [null, "en", "de"].entries()) {
        if (language !== null) await logInSpeaking(language, owner.user.email)
        moveTo(day, "07:00")
        await turn()
      }
      expect(sent.map(({ subject }) => subject)).toEqual([
        "1 Dokument braucht Aufmerksamkeit auf Solar Sites",
        "1 document needs attention on Solar Sites",
        "1 Dokument braucht Aufmerksamkeit auf Solar Sites"
      ])
    })

    it("sent every day to those who choose so, and never to those who want none", async () => {
      const { choose, join, moveTo, ownerInNeed, sentTo, started } = setup
      const daily = await ownerInNeed()
      const none = await join(daily.organisationId)
      const turn = await started()
      await choose(daily, "daily")
      await choose(none, "none")
      for (const day of [0, 1, 2]) {
        moveTo(day, "07:00")
        await turn()
      }
      expect(sentTo()).toEqual([daily.user.email, daily.user.email, daily.user.email])
    })

    it("about the portfolios of a limited user alone", async () => {
      const { addPortfolio, join, limit, moveTo, need, ownerInNeed, sent, started } = setup
      const owner = await ownerInNeed("Everywhere")
      const [north, south, west] = [
        await addPortfolio(owner, "North"),
        await addPortfolio(owner, "South"),
        await addPortfolio(owner, "West")
      ]
      await need(owner, "Northern Field", north)
      await need(owner, "Southern Field", south)
      const limits = [[north], [north, south], [west], []]
      const limited = await Promise.all(limits.map(() => join(owner.organisationId, undefined, "member")))
      for (const [index, person] of limited.entries()) await limit(person, limits[index] ?? null)
      const turn = await started()
      moveTo(0, "07:00")
      await turn()
      await turn()
      const sites = (person: typeof owner | undefined) =>
        sent
          .filter(({ to }) => to === person?.user.email)
          .map(({ text }) => ["Everywhere", "Northern Field", "Southern Field"].filter((name) => text.includes(name)))
      expect(sites(owner)).toEqual([["Everywhere", "Northern Field", "Southern Field"]])
      expect(limited.map(sites)).toEqual([[["Northern Field"]], [["Northern Field", "Southern Field"]], [], []])
    })

    it("sent from the next due hour after a new choice on", async () => {
      const { choose, moveTo, ownerInNeed, sentTo, started } = setup
      const owner = await ownerInNeed()
      const turn = await started()
      moveTo(2, "10:00")
      await choose(owner, "daily")
      await turn()
      expect(sentTo()).toEqual([])
      moveTo(3, "05:59")
      await choose(owner, "weekly")
      await choose(owner, "daily")
      moveTo(3, "06:00")
      await turn()
      expect(sentTo()).toHaveLength(1)
      await choose(owner, "weekly")
      moveTo(4, "06:00")
      await turn()
      expect(sentTo()).toHaveLength(1)
      // The choice that is stored already is none.
      await (await started())()
      moveTo(7, "06:30")
      await choose(owner, "weekly")
      await turn()
      expect(sentTo()).toHaveLength(2)
    })

    it("not sent to a user on the day of its creation, when the hour has passed", async () => {
      const { moveTo, ownerInNeed, sentTo, sql, started } = setup
      const { user } = await ownerInNeed()
      moveTo(0, "08:00")
      await sql(
        "update SCHEMA.console_user set digest_since = to_timestamp($1::float8 / 1000) returning 1",
        `${setup.now()}`
      )
      await (await started())()
      expect(sentTo()).toEqual([])
      moveTo(7, "06:00")
      await (await started())()
      expect(sentTo()).toEqual([user.email])
    })

    it("sent by one of several servers", async () => {
      const { join, moveTo, ownerInNeed, sentTo, started } = setup
      const owners = await Promise.all([ownerInNeed(), ownerInNeed(), ownerInNeed()])
      const people = await Promise.all(
        owners.flatMap((owner) => [owner, ...Array.from({ length: 7 }, () => join(owner.organisationId))])
      )
      const turns = await Promise.all([started(), started(), started()])
      moveTo(0, "06:00")
      await Promise.all(turns.map((turn) => turn()))
      expect(sentTo().toSorted()).toEqual(people.map(({ user }) => user.email).toSorted())
    })

    it("sent by a server that was off at the hour: on that day, or until Sunday", async () => {
      const { choose, moveTo, ownerInNeed, sentTo, started } = setup
      const [daily, weekly] = [await ownerInNeed(), await ownerInNeed()]
      await choose(daily, "daily")
      moveTo(5, "03:00")
      await (await started())()
      expect(sentTo()).toEqual([weekly.user.email])
      moveTo(6, "23:59")
      await (await started())()
      expect(sentTo()).toEqual([weekly.user.email, daily.user.email])
      await (await started())()
      expect(sentTo()).toHaveLength(2)
    })

    it("not sent when nothing needs attention, not even later on that day", async () => {
      const { join, moveTo, need, sentTo, started } = setup
      const owner = await join()
      moveTo(0, "06:00")
      const turn = await started()
      await turn()
      expect(sentTo()).toEqual([])
      await need(owner)
      await turn()
      expect(sentTo()).toEqual([])
      moveTo(7, "06:00")
      await turn()
      expect(sentTo()).toEqual([owner.user.email])
    })

    it("not sent to users who cannot log in", async () => {
      const { moveTo, ownerInNeed, sentTo, setActive, sql, started } = setup
      const [inactive, provider, active] = [await ownerInNeed(), await ownerInNeed(), await ownerInNeed()]
      await setActive(inactive.organisationId, "inactive")
      await sql("update SCHEMA.console_user set password_hash = null where id = $1::uuid returning 1", provider.user.id)
      moveTo(0, "06:00")
      await (await started({ passwords: true, openId: Option.none() }))()
      expect(sentTo()).toEqual([active.user.email])
      // An activation makes up for nothing.
      await setActive(inactive.organisationId, "active")
      await (await started())()
      expect(sentTo()).toHaveLength(1)
    })

    it("sent to all users of an organisation, which has one list for all of them", async () => {
      const { join, moveTo, ownerInNeed, reads, sentTo, started } = setup
      const owner = await ownerInNeed()
      const others = await Promise.all(Array.from({ length: 24 }, () => join(owner.organisationId)))
      moveTo(0, "06:00")
      await (await started())()
      expect(sentTo().toSorted()).toEqual([owner, ...others].map(({ user }) => user.email).toSorted())
      expect(reads.count).toBe(1)
    })

    it("about the own organisation", async () => {
      const { moveTo, ownerInNeed, sent, started } = setup
      const [hill, moor] = [await ownerInNeed("Hill"), await ownerInNeed("Moor")]
      moveTo(0, "06:00")
      await (await started())()
      const textTo = (email: string) => sent.find(({ to }) => to === email)?.text ?? ""
      expect(textTo(hill.user.email)).toContain("Missing: Insurance, Hill\n")
      expect(textTo(hill.user.email)).not.toContain("Moor")
      expect(textTo(moor.user.email)).toContain("Missing: Insurance, Moor\n")
    })
  })
})
