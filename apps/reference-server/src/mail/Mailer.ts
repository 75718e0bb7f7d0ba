/**
 * Makes and sends mails in the background: five attempts in about five minutes. Mails that wait are
 * in memory only; those of a server that ends are lost.
 */
import { Context, Data, Deferred, Duration, Effect, Exit, FiberSet, Layer, Option, Semaphore } from "effect"
import { RequestLanguage } from "../console/Language.ts"
import { type Letter, toMail } from "./Letters.ts"
import type { MailSettings } from "./MailSettings.ts"
import { type MailRefused, smtpTransport } from "./SmtpTransport.ts"
import type { MailTexts } from "./texts/en.ts"
import { mailTextsIn } from "./texts/languages.ts"

const waits = ["1 second", "15 seconds", "1 minute", "3 minutes"] as const
const maximumWaiting = 500
/** Mails that requests without a session cause. The rest of the queue is for all others. */
const maximumWaitingOpen = 250
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

/** Too many mails wait, such as while the database or the mail server is unavailable. */
export class MailQueueFull extends Data.TaggedError("MailQueueFull")<Record<never, never>> {}

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
    run: Effect.fnUntraced(function* (effect: Effect.Effect<void>, maximum: number) {
      if ((yield* FiberSet.size(fibers)) >= maximum) {
        return yield* Effect.as(Effect.logError("mail queue full, mail dropped"), false)
      }
      yield* FiberSet.run(fibers, effect, { startImmediately: false })
      return true
    })
  }
})

class MailNotMade extends Data.TaggedError("MailNotMade")<{ readonly cause: unknown }> {}

const logFailure = (failure: MailNotMade | MailRefused, isLast: boolean): Effect.Effect<void> => {
  if (failure._tag === "MailNotMade") {
    return isLast
      ? Effect.logError("mail not sent", failure)
      : Effect.logWarning("preparation of a mail failed", failure)
  }
  const { code, command, isPermanent, responseCode } = failure
  const log = isLast ? Effect.logError("mail not delivered") : Effect.logWarning("mail delivery failed")
  return Effect.annotateLogs(log, { code, command, responseCode, isPermanent })
}

export class Mailer extends Context.Service<
  Mailer,
  {
    /** False without `SMTP_URL`; `send` then does nothing. */
    readonly isConfigured: boolean

    /**
     * Returns at once, with the language of the request; the effect, which makes the mail or none, runs in the background. It is
     * repeated while it fails, but not after it has succeeded. False when 500 mails wait already, or
     * 250 for a request without a session (`isOpen`): this one is dropped.
     */
    readonly send: <E>(
      outgoing: Effect.Effect<Outgoing | null, E>,
      options?: { readonly isOpen: boolean }
    ) => Effect.Effect<boolean>
  }
>()("@solar-sites/reference-server/Mailer") {
  static readonly layer = ({ address, settings }: MailerOptions): Layer.Layer<Mailer> =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        if (Option.isNone(settings)) return Mailer.of({ isConfigured: false, send: () => Effect.succeed(true) })
        const { isClosing, run, sleep } = yield* background
        const transport = yield* smtpTransport(settings.value)
        const oneAtATime = yield* Semaphore.make(1)

        const send = Effect.fnUntraced(
          function* <E>(outgoing: Effect.Effect<Outgoing | null, E>, texts: MailTexts) {
            // Made once: a second link would replace that of a mail that may have arrived.
            const made = yield* Effect.cachedWithTTL(
              Effect.mapError(outgoing, (cause) => new MailNotMade({ cause })),
              (exit) => (Exit.isSuccess(exit) ? Duration.infinity : 0)
            )
            const attempt = Effect.gen(function* () {
              const mail = yield* made
              if (mail === null) return Effect.void
              yield* oneAtATime.withPermits(1)(transport(toMail(mail.to, yield* address, mail.letter, texts)))
              return mail.onAccepted ?? Effect.void
            })
            yield* Effect.sleep(delay)
            for (const wait of [...waits, undefined]) {
              const outcome = yield* Effect.result(attempt)
              if (outcome._tag === "Success") return yield* outcome.success
              const { failure } = outcome
              const isPermanent = failure._tag === "MailRefused" && failure.isPermanent
              const isLast = isPermanent || wait === undefined || (yield* isClosing)
              yield* logFailure(failure, isLast)
              if (isLast) return
              yield* sleep(wait)
            }
          },
          Effect.catchCause((cause) => Effect.logError("mail not sent", cause))
        )
        return Mailer.of({
          isConfigured: true,
          send: (outgoing, options) =>
            Effect.flatMap(RequestLanguage, (language) =>
              run(send(outgoing, mailTextsIn(language)), options?.isOpen === true ? maximumWaitingOpen : maximumWaiting)
            )
        })
      })
    )
}
