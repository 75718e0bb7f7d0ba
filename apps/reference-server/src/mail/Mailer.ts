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
/** The work on a mail begins once the response is sent, which so takes the same time with and without one. */
const delay = "100 millis"
/** Part of the 10 seconds that a shutdown may take. */
const shutdownGrace = "2 seconds"

export interface MailerOptions {
  readonly settings: Option.Option<MailSettings>
  /** Address of the console, for links. Never that of a request: its `Host` may be forged. */
  readonly address: Effect.Effect<string>
}

/** `onAccepted` runs once the mail server has accepted the mail. */
export interface Outgoing {
  readonly to: string
  readonly letter: Letter
  readonly onAccepted?: Effect.Effect<void>
}

/** Runs effects in the background. On close, waits between attempts end at once. */
const background = Effect.gen(function* () {
  const closing = yield* Deferred.make<void>()
  const fibers = yield* FiberSet.make<void>()
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Deferred.succeed(closing, undefined),
      Effect.timeoutOption(FiberSet.awaitEmpty(fibers), shutdownGrace)
    )
  )
  return {
    isClosing: Deferred.isDone(closing),
    sleep: (wait: (typeof waits)[number]) => Effect.raceFirst(Effect.sleep(wait), Deferred.await(closing)),
    run: Effect.fnUntraced(function* (effect: Effect.Effect<void>) {
      if ((yield* FiberSet.size(fibers)) >= maximumWaiting)
        return yield* Effect.logError("mail queue full, mail dropped")
      yield* FiberSet.run(fibers, effect, { startImmediately: false })
    })
  }
})

const delivery = (transport: Transport, { isClosing, sleep }: Effect.Success<typeof background>) =>
  Effect.map(Semaphore.make(1), (oneAtATime) =>
    Effect.fnUntraced(function* (mail: Mail, onAccepted: Effect.Effect<void>) {
      for (const wait of [...waits, undefined]) {
        const outcome = yield* Effect.result(oneAtATime.withPermits(1)(transport(mail)))
        if (outcome._tag === "Success") return yield* onAccepted
        const { code, command, isPermanent, responseCode } = outcome.failure
        const isLast = isPermanent || wait === undefined || (yield* isClosing)
        const log = isLast ? Effect.logError("mail not delivered") : Effect.logWarning("mail delivery failed")
        yield* Effect.annotateLogs(log, { code, command, responseCode, isPermanent })
        if (isLast) return
        yield* sleep(wait)
      }
    })
  )

export class Mailer extends Context.Service<
  Mailer,
  {
    /** False without `SMTP_URL`; `send` then does nothing. */
    readonly isConfigured: boolean

    /**
     * Returns at once; the effect, which makes the mail or none, runs in the background too. Its
     * errors are logged.
     */
    readonly send: <E>(outgoing: Effect.Effect<Outgoing | null, E>) => Effect.Effect<void>
  }
>()("@solar-sites/reference-server/Mailer") {
  static readonly layer = ({ address, settings }: MailerOptions): Layer.Layer<Mailer> =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        if (Option.isNone(settings)) return Mailer.of({ isConfigured: false, send: () => Effect.void })
        const queue = yield* background
        const deliver = yield* delivery(yield* smtpTransport(settings.value), queue)

        const send = Effect.fnUntraced(
          function* <E>(outgoing: Effect.Effect<Outgoing | null, E>) {
            const made = yield* Effect.delay(outgoing, delay)
            if (made === null) return
            yield* deliver(toMail(made.to, yield* address, made.letter), made.onAccepted ?? Effect.void)
          },
          Effect.catchCause((cause) => Effect.logError("mail not sent", cause))
        )
        return Mailer.of({ isConfigured: true, send: (outgoing) => queue.run(send(outgoing)) })
      })
    )
}
