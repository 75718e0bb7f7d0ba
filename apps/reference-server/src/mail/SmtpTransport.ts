/** Hands mails to the mail server of `SMTP_URL` by nodemailer. Each mail has its own connection. */
import { Data, Effect, Redacted } from "effect"
import { isLoopbackName } from "../configuration/SettingSchemas.ts"
import type { MailSettings } from "./MailSettings.ts"

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Further headers, sent as they are: plain ASCII without line breaks. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Reply of the mail server or reason of the driver, without addresses. */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly code: string | undefined
  readonly command: string | undefined
  readonly responseCode: number | undefined
  /** True if a retry cannot succeed: the mail server refuses the recipient or the message for good. */
  readonly isPermanent: boolean
  /** True if the mail server has the whole mail and did not answer: it may deliver it. */
  readonly mayArrive: boolean
}> {}

export type Transport = (mail: Mail) => Effect.Effect<void, MailRefused>

const optionsOf = (url: URL) => {
  const secure = url.protocol === "smtps:"
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // Without credentials STARTTLS is used where the server offers it. A password needs it.
    requireTLS: !secure && user !== "" && !isLoopbackName(url.hostname),
    ...(user === "" ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    dnsTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true
  }
}

const memberOf = (cause: unknown, name: string): unknown =>
  typeof cause === "object" && cause !== null ? Reflect.get(cause, name) : undefined

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The message of the error is left out: it can hold addresses. */
const toRefused = (cause: unknown, isHandedOver: boolean): MailRefused => {
  const [code, response] = [textOf(memberOf(cause, "code")), memberOf(cause, "responseCode")]
  const responseCode = typeof response === "number" ? response : undefined
  const isPermanent = (code === "EENVELOPE" || code === "EMESSAGE") && responseCode !== undefined && responseCode >= 500
  const mayArrive = isHandedOver && responseCode === undefined
  return new MailRefused({ code, command: textOf(memberOf(cause, "command")), responseCode, isPermanent, mayArrive })
}

/** Calls `onEnd` when the last byte of a mail is written. The driver reports it to its logger alone. */
const loggerOf = (onEnd: () => void) => {
  const ignore = () => {}
  const info = (entry: unknown) => {
    if (memberOf(entry, "tnx") === "message" && memberOf(entry, "outByteCount") !== undefined) onEnd()
  }
  return { trace: ignore, debug: ignore, info, warn: ignore, error: ignore, fatal: ignore }
}

// Loaded before the first mail: Node 20 keeps a failed import, as one without descriptors, for good.
export const smtpTransport = ({ from, url }: MailSettings): Effect.Effect<Transport> =>
  Effect.map(
    Effect.promise(() => import("nodemailer")),
    ({ createTransport }) => {
      const options = optionsOf(new URL(Redacted.value(url)))
      return ({ headers = {}, to, ...content }) =>
        Effect.suspend(() => {
          let isHandedOver = false
          const prepared = Object.entries(headers).map(([key, value]) => ({ key, value: { prepared: true, value } }))
          const mail = { from, to: { name: "", address: to }, headers: prepared, ...content }
          return Effect.tryPromise({
            // As an object, the address is not parsed as a list of addresses.
            try: () =>
              createTransport({
                ...options,
                logger: loggerOf(() => {
                  isHandedOver = true
                })
              }).sendMail(mail),
            catch: (cause) => toRefused(cause, isHandedOver)
          })
        }).pipe(Effect.asVoid)
    }
  )
