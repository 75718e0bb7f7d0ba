/** Digests in process: a database with a clock that stands still, and a mail server that keeps what it is given. */
import { PgClient } from "@solar-sites/adapter-postgres"
import {
  Caller,
  CurrentCaller,
  ExpiryReport,
  type OrganisationId,
  Organisations,
  type PortfolioId,
  type PortfolioLimit,
  portfolioRecords,
  Requirements,
  siteRecords
} from "@solar-sites/core"
import { aPortfolio, aRequirement, aSite } from "@solar-sites/testing"
import { Effect, Layer, Option } from "effect"
import { operatorOf } from "../../src/accounts/people/Authority.ts"
import { userChanges } from "../../src/accounts/people/Users.ts"
import type { LoginSettings } from "../../src/configuration/LoginSettings.ts"
import type { DigestChoice } from "../../src/digest/DigestChoice.ts"
import { makeTurn, reports } from "../../src/digest/DigestWorker.ts"
import type { Mail, MailRefused, Transport } from "../../src/mail/SmtpTransport.ts"
import { accountsSetup, type Person } from "../accounts/AccountsSetup.ts"
import type { Variables } from "../SolarSitesProcess.ts"

const schedule = { hour: 6, timeZone: "UTC" }
const day = 86_400_000

export const digestSetup = (variables: Variables) => {
  const setup = accountsSetup(variables, { isFrozen: true })
  const sent: Array<Mail> = []
  /** How often the list of an organisation was read. */
  const reads = { count: 0 }
  const counting = Layer.effect(
    ExpiryReport,
    Effect.map(ExpiryReport, ({ page }) => ({
      page: (query) =>
        Effect.suspend(() => {
          reads.count++
          return page(query)
        })
    }))
  ).pipe(Layer.provide(reports))
  /** What the mail server answers; accepts every mail by default. */
  const server: { answer: (mail: Mail) => Effect.Effect<void, MailRefused> } = { answer: () => Effect.void }
  const transport: Transport = (mail) =>
    Effect.tap(
      Effect.suspend(() => server.answer(mail)),
      () => Effect.sync(() => sent.push(mail))
    )

  /** A server. Its turn sends what is due. */
  const started = async (login: LoginSettings = { passwords: true, openId: Option.none() }, language = "en") => {
    const address = Effect.succeed("http://solar.test")
    const turn = await setup.run(Effect.provide(makeTurn({ schedule, login, language, address, transport }), counting))
    return () => setup.run(turn)
  }

  const sql = (text: string, ...parameters: ReadonlyArray<string>) =>
    setup.run(
      PgClient.use((client) =>
        client.run({ operation: "test", text: text.replaceAll("SCHEMA", client.schema), parameters })
      )
    )

  const asPerson = ({ organisationId, user }: Person) =>
    Effect.provideService(CurrentCaller, new Caller({ organisationId, userId: user.id, apiKeyId: null }))

  /** Creates a site that lacks a document. */
  const need = (owner: Person, siteName = "Long Meadow", portfolioId: PortfolioId | null = null) =>
    setup.run(
      Effect.gen(function* () {
        const { organisationId } = owner
        yield* (yield* siteRecords).insert(organisationId, aSite({ organisationId, siteName, portfolioId }))
        yield* (yield* Requirements).replace({ requirements: [aRequirement()] })
      }).pipe(Effect.provide(Requirements.layer), asPerson(owner))
    )

  const addPortfolio = (owner: Person, name: string): Promise<PortfolioId> =>
    setup.run(
      Effect.gen(function* () {
        const { organisationId } = owner
        const portfolio = aPortfolio({ organisationId, name })
        yield* (yield* portfolioRecords).insertMany(organisationId, [portfolio])
        return portfolio.id
      })
    )

  const limit = ({ organisationId, user }: Person, portfolioIds: PortfolioLimit) =>
    setup.run(
      Effect.flatMap(userChanges, ({ update }) => update(user.id, { portfolioIds }, operatorOf(organisationId)))
    )

  /** The owner of an organisation with such a site. */
  const ownerInNeed = async (siteName?: string): Promise<Person> => {
    const owner = await setup.join()
    await need(owner, siteName)
    return owner
  }

  // Days since 1970 began with a Thursday.
  const monday = Math.ceil((setup.now() - 4 * day) / (7 * day)) * 7 * day + 4 * day
  return {
    ...setup,
    sql,
    sent,
    reads,
    server,
    started,
    need,
    addPortfolio,
    limit,
    ownerInNeed,
    /** The addresses of the mails sent so far. */
    sentTo: () => sent.map(({ to }) => to),
    /** Moves the clock to days after the next Monday, at a time of the day in UTC. */
    moveTo: (days: number, time: string) => {
      const [hour = 0, minute = 0] = time.split(":").map(Number)
      setup.advance(monday + days * day + hour * 3_600_000 + minute * 60_000 - setup.now())
    },
    choose: ({ organisationId, user }: Person, digest: DigestChoice) =>
      setup.run(Effect.flatMap(userChanges, ({ update }) => update(user.id, { digest }, operatorOf(organisationId)))),
    setActive: (id: OrganisationId, status: "active" | "inactive") =>
      setup.run(Organisations.use((organisations) => organisations.update(id, { status }))),
    close: async () => {
      await sql("update SCHEMA.console_user set digest = 'none' returning 1")
      await setup.close()
    }
  }
}

export type DigestSetup = ReturnType<typeof digestSetup>
