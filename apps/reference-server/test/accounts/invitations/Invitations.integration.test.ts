import { PgClient } from "@solar-sites/adapter-postgres"
import { CurrentCaller, EventRepository, type OrganisationId, Organisations } from "@solar-sites/core"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { invitations } from "../../../src/accounts/invitations/Invitations.ts"
import { operatorOf } from "../../../src/accounts/people/Authority.ts"
import type { Role } from "../../../src/accounts/people/Role.ts"
import { userChanges } from "../../../src/accounts/people/Users.ts"
import type { Session } from "../../../src/accounts/sessions/Sessions.ts"
import { digest } from "../../../src/accounts/sessions/SessionToken.ts"
import { accountDatabases } from "../AccountDatabases.ts"
import { passwordOf } from "../AccountsSetup.ts"
import { type LinksSetup, linksSetup } from "../login/LinksSetup.ts"

const password = passwordOf("another horse battery")
const addressOf = () => `eve.${crypto.randomUUID()}@example.com`

const databases = accountDatabases("let one of several concurrent acceptances win")

describe.each(databases)("invitations on %s", (_, isMissing, variables, it) => {
  describe.skipIf(isMissing)("that is there", () => {
    let setup: LinksSetup

    beforeAll(async () => {
      setup = linksSetup(variables())
      await setup.newOrganisation()
    })

    afterAll(() => setup.close())

    const create = (inviter: Session, email: string, role: Role = "member") =>
      Effect.flatMap(invitations, (invitations) => invitations.create(inviter.user, { email, name: null, role })).pipe(
        Effect.provideService(CurrentCaller, inviter.caller)
      )

    /** An invitation by a new owner, with its token. */
    const invited = async (role: Role = "member", by: Role = "owner", email = addressOf()) => {
      const owner = await setup.join()
      const { user } = by === "owner" ? owner : await setup.join(owner.organisationId, undefined, by)
      const inviter = await setup.sessionOf(user)
      const { invitation, token } = await setup.run(create(inviter, email, role))
      return { owner, inviter, invitation, token: token === null ? "" : Redacted.value(token) }
    }

    const accept = (token: string) =>
      Effect.flatMap(invitations, (invitations) => invitations.accept({ token, name: "Eve", password }))
    const look = (token: string) => Effect.flatMap(invitations, (invitations) => invitations.look(token))

    const eventsOf = async (organisationId: OrganisationId) => {
      const page = { after: null, limit: 100, order: "asc" } as const
      return (await setup.run(EventRepository.use((events) => events.list(organisationId, {}, page)))).items
    }

    it("create a user with their role, once", async () => {
      const { invitation, inviter, token } = await invited("admin")
      expect(await setup.run(look(token))).toMatchObject({ organisation: "Test", inviter: "Ada", role: "admin" })
      const { organisationId, id, email } = invitation
      expect(await setup.run(accept(token))).toMatchObject({ id, organisationId, email, name: "Eve", role: "admin" })
      expect(await setup.find(await setup.logIn(email, "another horse battery"))).toMatchObject({ user: { id } })
      expect(await setup.outcome(accept(token))).toBe("LinkInvalid")
      expect(await setup.run(Effect.flatMap(invitations, ({ list }) => list(inviter.user)))).toEqual([])
      const events = (await eventsOf(organisationId)).filter(({ type }) => /invited|created/.test(type))
      expect(
        events.slice(-2).map(({ actor, changes, subject, type }) => [type, subject, actor.userId, changes])
      ).toEqual([
        [
          "user.invited",
          { type: "user", id, name: email },
          inviter.user.id,
          { email: { from: null, to: email }, role: { from: null, to: "admin" } }
        ],
        [
          "user.created",
          { type: "user", id, name: "Eve" },
          id,
          { email: { from: null, to: email }, name: { from: null, to: "Eve" }, role: { from: null, to: "admin" } }
        ]
      ])
      expect(JSON.stringify(events)).not.toContain(token)
    })

    it("let one of several concurrent acceptances win", async () => {
      const { invitation, token } = await invited()
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => setup.outcome(accept(token))))
      expect(outcomes.toSorted()).toEqual([...Array.from({ length: 5 }, () => "LinkInvalid"), "done"])
      const created = (await eventsOf(invitation.organisationId)).filter(({ subject }) => subject.id === invitation.id)
      expect(created.map(({ type }) => type)).toEqual(["user.invited", "user.created"])
    })

    it("store the digest of the token only", async () => {
      const { invitation, token } = await invited()
      const text = "select to_json(l)::text from SCHEMA.console_link l where l.id = $1::uuid"
      const rows = await setup.run(
        PgClient.use(({ run, schema }) =>
          run({ operation: "dump", text: text.replace("SCHEMA", schema), parameters: [invitation.id] })
        )
      )
      expect(rows[0]?.[0]).toContain(digest(Redacted.make(token)))
      expect(rows[0]?.[0]).not.toContain(token)
    })

    it("end when they are replaced, withdrawn or expired, and with inviter and organisation", async () => {
      const ends: ReadonlyArray<(of: Awaited<ReturnType<typeof invited>>) => Promise<unknown>> = [
        ({ inviter, invitation }) => setup.run(create(inviter, invitation.email.toUpperCase(), "viewer")),
        ({ inviter, invitation }) =>
          setup.run(Effect.flatMap(invitations, ({ renew }) => renew(inviter.user, invitation.id))),
        ({ inviter, invitation }) =>
          setup.run(Effect.flatMap(invitations, ({ withdraw }) => withdraw(inviter.user, invitation.id))),
        ({ inviter, owner }) =>
          setup.run(
            Effect.flatMap(userChanges, (users) => users.delete(inviter.user.id, operatorOf(owner.organisationId)))
          ),
        ({ inviter, owner }) => {
          const change = { role: "member" } as const
          return setup.run(
            Effect.flatMap(userChanges, (users) =>
              users.update(inviter.user.id, change, operatorOf(owner.organisationId))
            )
          )
        },
        ({ owner }) =>
          setup.run(Organisations.use(({ update }) => update(owner.organisationId, { status: "inactive" })))
      ]
      for (const end of ends) {
        const made = await invited("member", "admin")
        await end(made)
        expect([await setup.outcome(look(made.token)), await setup.outcome(accept(made.token))]).toEqual([
          "LinkInvalid",
          "LinkInvalid"
        ])
      }
      for (const token of ["", "x", "A".repeat(43), `${"A".repeat(43)}'`]) {
        expect(await setup.outcome(accept(token))).toBe("LinkInvalid")
      }
      const { token } = await invited()
      setup.advance("7 days")
      expect(await setup.outcome(accept(token))).toBe("LinkInvalid")
    })

    it("are refused for roles above the inviter's, and for users of the same organisation", async () => {
      const { inviter, invitation, owner } = await invited("member", "admin")
      expect(await setup.outcome(create(inviter, addressOf(), "owner"))).toBe("RoleInsufficient")
      expect(await setup.outcome(create(inviter, owner.user.email.toUpperCase()))).toBe("EmailTaken")
      const ofOwner = await setup.run(create(await setup.sessionOf(owner.user), addressOf(), "owner"))
      const named = ofOwner.invitation
      expect(await setup.outcome(create(inviter, named.email))).toBe("RoleInsufficient")
      for (const id of [named.id, crypto.randomUUID(), (await invited()).invitation.id]) {
        expect(await setup.outcome(Effect.flatMap(invitations, ({ renew }) => renew(inviter.user, id)))).toBe(
          "InvitationNotFound"
        )
        expect(await setup.outcome(Effect.flatMap(invitations, ({ withdraw }) => withdraw(inviter.user, id)))).toBe(
          "InvitationNotFound"
        )
      }
      const listed = await setup.run(Effect.flatMap(invitations, ({ list }) => list(inviter.user)))
      expect(listed.map(({ id }) => id)).toEqual([invitation.id, named.id])
      // Without its inviter it stands no longer, and hinders no other.
      await setup.join(owner.organisationId)
      await setup.run(
        Effect.flatMap(userChanges, (users) => users.delete(owner.user.id, operatorOf(owner.organisationId)))
      )
      expect(await setup.outcome(create(inviter, named.email))).toBe("done")
    })

    it("do not tell whether a user of another organisation has the address, but to its owner", async () => {
      const elsewhere = await setup.join()
      const { invitation, token } = await invited("viewer", "owner", elsewhere.user.email)
      expect(invitation).toMatchObject({ email: elsewhere.user.email, role: "viewer", mailedAt: null })
      expect(await setup.outcome(accept(token))).toBe("EmailTaken")
      expect(await setup.outcome(look(token))).toBe("done")
    })

    it("whose mail is dropped are refused, and can be sent again", async () => {
      const inviter = await setup.sessionOf((await setup.join()).user)
      const email = addressOf()
      Object.assign(setup.mail, { isConfigured: true, isFull: true })
      const outcome = await setup.outcome(create(inviter, email)).finally(() => {
        Object.assign(setup.mail, { isConfigured: false, isFull: false })
      })
      expect(outcome).toBe("MailQueueFull")
      const [open] = await setup.run(Effect.flatMap(invitations, ({ list }) => list(inviter.user)))
      expect(open).toMatchObject({ email, mailedAt: null })
      const renewed = await setup.run(Effect.flatMap(invitations, ({ renew }) => renew(inviter.user, open?.id ?? "")))
      expect(await setup.outcome(look(Redacted.value(renewed.token ?? Redacted.make(""))))).toBe("done")
    })

    it("are a hundred at most", async () => {
      const { inviter, invitation } = await invited()
      const outcomes = await Promise.all(
        Array.from({ length: 99 }, (_, n) => setup.outcome(create(inviter, `${n}.${addressOf()}`)))
      )
      expect(new Set(outcomes)).toEqual(new Set(["done"]))
      expect(await setup.outcome(create(inviter, addressOf()))).toBe("TooManyInvitations")
      expect(await setup.outcome(create(inviter, invitation.email))).toBe("done")
    })
  })
})
