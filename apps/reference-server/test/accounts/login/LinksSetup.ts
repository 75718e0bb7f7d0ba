/** Invitations, links and sessions of users in process, with a mailer that keeps what it is given. */
import { Effect, Layer } from "effect"
import type { User } from "../../../src/accounts/people/User.ts"
import { userLookUps } from "../../../src/accounts/people/UserLookUps.ts"
import { Mailer, type Outgoing } from "../../../src/mail/Mailer.ts"
import { MailLimits } from "../../../src/mail/MailLimits.ts"
import type { Variables } from "../../SolarSitesProcess.ts"
import { type AccountsSetup, accountsSetup } from "../AccountsSetup.ts"

type Services = Mailer | MailLimits

export const linksSetup = (variables: Variables) => {
  const setup = accountsSetup(variables)
  const sent: Array<Outgoing> = []
  const mail = { isConfigured: false, isFull: false }
  const mailer = Layer.sync(Mailer, () =>
    Mailer.of({
      isConfigured: mail.isConfigured,
      send: (outgoing) =>
        outgoing.pipe(
          Effect.map((made) => (made === null ? 0 : sent.push(made))),
          Effect.ignore,
          Effect.as(true),
          (sending) => Effect.suspend(() => (mail.isFull ? Effect.succeed(false) : sending))
        )
    })
  )
  const layer = Layer.merge(mailer, MailLimits.layerUnlimited)

  const run = <A, E>(effect: Effect.Effect<A, E, Services | AccountServices>): Promise<A> =>
    setup.run(Effect.provide(effect, layer))

  /** Resolves with the tag of the refusal, or `done`. */
  const outcome = <A, E extends { readonly _tag: string }>(
    effect: Effect.Effect<A, E, Services | AccountServices>
  ): Promise<string> => run(Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "done" }))

  /** The session of a user, as an inviter. */
  const sessionOf = async ({ email }: Pick<User, "email">) => {
    const session = await setup.find(await setup.logIn(email))
    if (session === undefined) throw new Error("no session")
    return session
  }

  const passwordVersionOf = async ({ email }: Pick<User, "email">) =>
    (await run(Effect.flatMap(userLookUps, (users) => users.findByLogin(email))))?.passwordVersion ?? 0

  return {
    ...setup,
    run,
    outcome,
    sent,
    sessionOf,
    passwordVersionOf,
    /** For the test to change; off by default. */
    mail
  }
}

type AccountServices = Parameters<AccountsSetup["run"]>[0] extends Effect.Effect<unknown, unknown, infer R> ? R : never

export type LinksSetup = ReturnType<typeof linksSetup>
