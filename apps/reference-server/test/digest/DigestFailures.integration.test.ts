import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, vi } from "vitest"
import { MailRefused } from "../../src/mail/SmtpTransport.ts"
import { accountDatabases } from "../accounts/AccountDatabases.ts"
import { type DigestSetup, digestSetup } from "./DigestSetup.ts"

const refusedWith = (more: Partial<MailRefused> = {}) =>
  Effect.fail(
    new MailRefused({
      ...{ code: "ECONNECTION", command: "CONN", responseCode: undefined, isPermanent: false, mayArrive: false },
      ...more
    })
  )

const databases = accountDatabases("tried again while the mail server refuses them, and sent once")

describe.for(databases)("failed digests with %s", ([, isMissing, variables, it]) => {
  describe.skipIf(isMissing)("are", () => {
    let setup: DigestSetup

    beforeEach(() => {
      setup = digestSetup(variables())
    })

    afterEach(() => setup.close())

    it("tried again while the mail server refuses them, and sent once", async () => {
      const { advance, moveTo, ownerInNeed, sentTo, server, started } = setup
      const owner = await ownerInNeed()
      moveTo(0, "06:00")
      let attempts = 0
      server.answer = () => {
        attempts++
        return refusedWith()
      }
      const turn = await started()
      for (let minute = 0; minute < 60; minute++) {
        await turn()
        advance("1 minute")
      }
      expect(attempts).toBeGreaterThan(4)
      expect(attempts).toBeLessThan(9)
      server.answer = () => Effect.void
      // Another server goes on.
      const other = await started()
      for (let minute = 0; minute < 40; minute += 5) {
        await Promise.all([turn(), other()])
        advance("5 minutes")
      }
      expect(sentTo()).toEqual([owner.user.email])
    })

    it("given up after six hours", async () => {
      const { advance, moveTo, ownerInNeed, sentTo, server, started } = setup
      const owner = await ownerInNeed()
      moveTo(0, "06:00")
      server.answer = () => refusedWith()
      const turn = await started()
      for (let minute = 0; minute < 380; minute += 10) {
        await turn()
        advance("10 minutes")
      }
      server.answer = () => Effect.void
      await turn()
      await (await started())()
      expect(sentTo()).toEqual([])
      moveTo(7, "06:00")
      await turn()
      expect(sentTo()).toEqual([owner.user.email])
    })

    it("not tried again for an address that is refused for good, nor when the mail may arrive", async () => {
      const { advance, join, moveTo, ownerInNeed, sentTo, server, started } = setup
      const first = await ownerInNeed()
      const second = await join(first.organisationId)
      const third = await join(first.organisationId)
      moveTo(0, "06:00")
      const attempted: Array<string> = []
      server.answer = ({ to }) => {
        attempted.push(to)
        if (to === first.user.email) return refusedWith({ responseCode: 550, isPermanent: true })
        return to === second.user.email ? refusedWith({ mayArrive: true }) : Effect.void
      }
      const turn = await started()
      for (let minute = 0; minute < 5; minute++) {
        await turn()
        advance("1 minute")
      }
      expect(attempted.toSorted()).toEqual([first, second, third].map(({ user }) => user.email).toSorted())
      expect(sentTo()).toEqual([third.user.email])
    })

    it("sent while the mail server does not answer about those of another organisation", async () => {
      const { moveTo, ownerInNeed, sentTo, server, started } = setup
      const [slow, fast] = [await ownerInNeed(), await ownerInNeed()]
      moveTo(0, "06:00")
      const answered = Promise.withResolvers<void>()
      server.answer = ({ to }) => (to === slow.user.email ? Effect.promise(() => answered.promise) : Effect.void)
      const running = (await started())()
      await vi.waitUntil(() => sentTo().includes(fast.user.email), { timeout: 60_000, interval: 20 })
      answered.resolve()
      await running
      expect(sentTo().toSorted()).toEqual([fast.user.email, slow.user.email].toSorted())
    })

    it("lost, not doubled, by a server that dies while it hands one over", async () => {
      const { moveTo, ownerInNeed, sent, sentTo, server, started } = setup
      const owner = await ownerInNeed()
      moveTo(0, "06:00")
      const reached = Promise.withResolvers<void>()
      const never = Promise.withResolvers<void>()
      server.answer = () =>
        Effect.andThen(
          Effect.sync(reached.resolve),
          Effect.promise(() => never.promise)
        )
      const dying = (await started())()
      await reached.promise
      server.answer = () => Effect.void
      await (await started())()
      expect(sentTo()).toEqual([])
      never.resolve()
      await dying
      sent.length = 0
      moveTo(7, "06:00")
      await (await started())()
      expect(sentTo()).toEqual([owner.user.email])
    })

    it("not tried again for users who want none any more", async () => {
      const { advance, choose, moveTo, ownerInNeed, sentTo, server, started } = setup
      const owner = await ownerInNeed()
      moveTo(0, "06:00")
      server.answer = () => refusedWith()
      const turn = await started()
      await turn()
      server.answer = () => Effect.void
      await choose(owner, "none")
      advance("10 minutes")
      await turn()
      expect(sentTo()).toEqual([])
    })
  })
})
