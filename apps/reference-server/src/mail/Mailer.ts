/**
 * Sends mails in the background, one at a time: five attempts in about five minutes. Mails that
 * wait are in memory only; those of a server that ends are lost.
 */
import { Context, Deferred, Effect, FiberSet, Layer, Option, Semaphore } from "effect"
import { type Letter, toMail } from "./Letters.ts"
import type { MailSettings } from "./MailSettings.ts"
import { type Mail, smtpTransport, type Transport } from "./SmtpTransport.ts"

const waits = ["1 second", "15 seconds", "1 minute", "3 minutes"] as const
const maximumWaiting = 500
/** Part of the 10 seconds that a shutdown may take. */
const shutdownGrace = "2 seconds"

export interface MailerOptions {
  readonly settings: Option.Option<MailSettings>
  /** Address of the console, for links. Never that of a request: its `Host` may be forged. */
  readonly address: Effect.Effect<string>
}

const delivery = (transport: Transport) =>
  Effect.gen(function* () {
    const oneAtATime = yield* Semaphore.make(1)
    const closing = yield* Deferred.make<void>()
    const fibers = yield* FiberSet.make<void>()
    // Ends waits between attempts; mails under way or in the queue get a moment.
    yield* Effect.addFinalizer(() =>
      Effect.andThen(
        Deferred.succeed(closing, undefined),
        Effect.timeoutOption(FiberSet.awaitEmpty(fibers), shutdownGrace)
      )
    )

    const attempts = Effect.fnUntraced(function* (mail: Mail, onAccepted: Effect.Effect<void>) {
      for (const wait of [...waits, undefined]) {
        const outcome = yield* Effect.result(oneAtATime.withPermits(1)(transport(mail)))
        if (outcome._tag === "Success") return yield* onAccepted
        const { code, command, isPermanent, responseCode } = outcome.failure
        const isLast = isPermanent || wait === undefined || (yield* Deferred.isDone(closing))
        const log = isLast ? Effect.logError("mail not delivered") : Effect.logWarning("mail delivery failed")
        yield* Effect.annotateLogs(log, { code, command, responseCode, isPermanent })
        if (isLast) return
        yield* Effect.raceFirst(Effect.sleep(wait), Deferred.await(closing))
      }
    })

    return Effect.fnUntraced(function* (mail: Mail, onAccepted: Effect.Effect<void>) {
      if ((yield* FiberSet.size(fibers)) >= maximumWaiting)
        return yield* Effect.logError("mail queue full, mail dropped")
      yield* FiberSet.run(fibers, attempts(mail, onAccepted))
    })
  })

export class Mailer extends Context.Service<
  Mailer,
  {
    /** False without `SMTP_URL`; `send` then does nothing. */
    readonly isConfigured: boolean

    /** Queues a mail and returns at once. `onAccepted` runs once the mail server has accepted it. */
    readonly send: (to: string, letter: Letter, onAccepted?: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@solar-sites/reference-server/Mailer") {
  static readonly layer = ({ address, settings }: MailerOptions): Layer.Layer<Mailer> =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        if (Option.isNone(settings)) return Mailer.of({ isConfigured: false, send: () => Effect.void })
        const deliver = yield* delivery(yield* smtpTransport(settings.value))
        return Mailer.of({
          isConfigured: true,
          send: (to, letter, onAccepted = Effect.void) =>
            Effect.flatMap(address, (base) => deliver(toMail(to, base, letter), onAccepted))
        })
      })
    )
}
