/** Open invitations end with the deletion of their inviter, and with its right to give their role. */
import { CurrentCaller, EventRepository, type OrganisationId } from "@solar-sites/core"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { invitations } from "../../../src/accounts/invitations/Invitations.ts"
import { operatorOf } from "../../../src/accounts/people/Authority.ts"
import type { Role } from "../../../src/accounts/people/Role.ts"
import { userChanges } from "../../../src/accounts/people/Users.ts"
import type { Session } from "../../../src/accounts/sessions/Sessions.ts"
import { ownSchemas, withoutPostgres } from "../../ExternalDatabase.ts"
import { passwordOf } from "../AccountsSetup.ts"
import { type Connections, connectionsTo } from "../Locks.ts"
import { type LinksSetup, linksSetup } from "../login/LinksSetup.ts"

const password = passwordOf("another horse battery")

describe.skipIf(withoutPostgres)("open invitations", () => {
  const schemas = ownSchemas()
  let setup: LinksSetup
  let locks: Connections

  beforeAll(async () => {
    const variables = schemas.next()
    setup = linksSetup(variables)
    await setup.newOrganisation()
    locks = await connectionsTo(variables.DATABASE_SCHEMA)
  })

  afterAll(async () => {
    await setup.close()
    await locks.close()
    await schemas.drop()
  })

  const create = (inviter: Session, role: Role) => {
    const email = `eve.${crypto.randomUUID()}@example.com`
    return Effect.flatMap(invitations, (invitations) =>
      invitations.create(inviter.user, { email, name: null, role })
    ).pipe(Effect.provideService(CurrentCaller, inviter.caller))
  }
  const invite = async (inviter: Session, role: Role) => {
    const { invitation, token } = await setup.run(create(inviter, role))
    return { id: invitation.id, token: token === null ? "" : Redacted.value(token) }
  }
  const accept = (token: string) =>
    setup.outcome(Effect.flatMap(invitations, (invitations) => invitations.accept({ token, name: "Eve", password })))
  const look = (token: string) => setup.outcome(Effect.flatMap(invitations, (invitations) => invitations.look(token)))
  const open = async (viewer: Session) =>
    (await setup.run(Effect.flatMap(invitations, ({ list }) => list(viewer.user)))).map(({ id }) => id)
  const setRole = ({ organisation, user }: Session, role: Role) =>
    setup.outcome(Effect.flatMap(userChanges, ({ update }) => update(user.id, { role }, operatorOf(organisation.id))))
  const remove = ({ organisation, user }: Session) =>
    setup.outcome(Effect.flatMap(userChanges, (users) => users.delete(user.id, operatorOf(organisation.id))))

  /** Events about the ids, in their order. */
  const eventsOf = async (organisationId: OrganisationId, ids: ReadonlyArray<string>) => {
    const page = { after: null, limit: 200, order: "asc" } as const
    const { items } = await setup.run(EventRepository.use((events) => events.list(organisationId, {}, page)))
    return items.flatMap(({ subject, type }) =>
      ids.includes(subject.id) ? [`${ids.indexOf(subject.id)} ${type}`] : []
    )
  }

  /** An inviter beside another owner. */
  const inviterOf = async (role: Role) => {
    const { organisationId } = await setup.join()
    return setup.sessionOf((await setup.join(organisationId, undefined, role)).user)
  }

  it("end for good with the role that gave them, and no others do", async () => {
    const inviter = await inviterOf("owner")
    const [owner, member] = [await invite(inviter, "owner"), await invite(inviter, "member")]
    const ids = [inviter.user.id, owner.id, member.id]
    expect(await setRole(inviter, "admin")).toBe("done")
    expect([await look(owner.token), await look(member.token)]).toEqual(["LinkInvalid", "done"])
    expect(await setRole(inviter, "viewer")).toBe("done")
    expect(await setRole(inviter, "owner")).toBe("done")
    expect([await accept(owner.token), await accept(member.token), await open(inviter)]).toEqual([
      ...["LinkInvalid", "LinkInvalid"],
      []
    ])
    const expected = ["0 user.updated", "1 user.deleted", "0 user.updated", "2 user.deleted", "0 user.updated"]
    expect((await eventsOf(inviter.organisation.id, ids)).slice(-5)).toEqual(expected)
  })

  it("end with the deletion of the inviter, each with its event, and those of other inviters do not", async () => {
    const inviter = await inviterOf("admin")
    const colleague = await setup.sessionOf((await setup.join(inviter.organisation.id, undefined, "admin")).user)
    const [one, other, stays] = [
      await invite(inviter, "admin"),
      await invite(inviter, "viewer"),
      await invite(colleague, "viewer")
    ]
    expect(await remove(inviter)).toBe("done")
    expect([await accept(one.token), await accept(other.token), await open(colleague)]).toEqual([
      ...["LinkInvalid", "LinkInvalid"],
      [stays.id]
    ])
    const events = await eventsOf(inviter.organisation.id, [inviter.user.id, one.id, other.id, stays.id])
    expect(events.slice(-3)).toEqual(["0 user.deleted", "1 user.deleted", "2 user.deleted"])
  })

  const linkOf = (id: string) => `select id from SCHEMA.console_link where id = '${id}' for update`
  /** Locked last by every statement. */
  const sequenceOf = ({ organisation }: Session) =>
    `select organisation_id from SCHEMA.event_sequence where organisation_id = '${organisation.id}' for update`

  /** Outcomes of two calls: the second one begins when the first one waits for the locked rows. */
  const inOrder = async (select: string, first: () => Promise<string>, second: () => Promise<string>) => {
    let outcomes: ReadonlyArray<string> = []
    await locks.whileLocked(select, async () => {
      const begun = [first()]
      await locks.blocked(1)
      begun.push(second())
      await locks.blocked(2)
      return [Promise.all(begun).then((both) => (outcomes = both))]
    })
    return outcomes
  }

  describe.each([
    ["the deletion of the inviter", remove, "user.deleted", "InvitationNotFound"],
    ["its lower role", (inviter: Session) => setRole(inviter, "viewer"), "user.updated", "RoleInsufficient"]
  ] as const)("and %s", (_, end, type, refusal) => {
    it("come first when an acceptance has begun", async () => {
      const inviter = await inviterOf("admin")
      const { id, token } = await invite(inviter, "member")
      const outcomes = await inOrder(
        linkOf(id),
        () => accept(token),
        () => end(inviter)
      )
      expect(outcomes).toEqual(["done", "done"])
      const events = await eventsOf(inviter.organisation.id, [inviter.user.id, id])
      expect(events.slice(-2)).toEqual(["1 user.created", `0 ${type}`])
    })

    it("are not accepted once it has begun", async () => {
      const inviter = await inviterOf("admin")
      const { id, token } = await invite(inviter, "member")
      const outcomes = await inOrder(
        sequenceOf(inviter),
        () => end(inviter),
        () => accept(token)
      )
      expect(outcomes).toEqual(["done", "LinkInvalid"])
      expect((await eventsOf(inviter.organisation.id, [id])).at(-1)).toBe("0 user.deleted")
    })

    it("are not made once it has begun", async () => {
      const inviter = await inviterOf("admin")
      const making = () => setup.outcome(create(inviter, "member"))
      expect(await inOrder(sequenceOf(inviter), () => end(inviter), making)).toEqual(["done", refusal])
      expect(await open(inviter)).toEqual([])
    })

    it("end with it when they are being made while it begins", async () => {
      const inviter = await inviterOf("admin")
      let made = { id: "", token: "" }
      const making = async () => {
        made = await invite(inviter, "member")
        return "done"
      }
      expect(await inOrder(sequenceOf(inviter), making, () => end(inviter))).toEqual(["done", "done"])
      expect([await open(inviter), await accept(made.token)]).toEqual([[], "LinkInvalid"])
      const events = await eventsOf(inviter.organisation.id, [inviter.user.id, made.id])
      expect(events.slice(-3)).toEqual(["1 user.invited", `0 ${type}`, "1 user.deleted"])
    })
  })
})
