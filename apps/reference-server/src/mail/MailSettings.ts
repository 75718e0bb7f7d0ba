/** `SMTP_URL` and `MAIL_FROM`. Without `SMTP_URL` the server sends no mail. */
import { textThat } from "@solar-sites/core/options"
import { Config, Option, Schema, SchemaTransformation } from "effect"
import { isEmail } from "../accounts/people/User.ts"

type Sender = Readonly<Record<"name" | "address", string>>

const isDecodable = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

const isSmtpAddress = (text: string): boolean => {
  const url = /^smtps?:\/\/[^/]/i.test(text) ? URL.parse(text) : null
  if (url === null || url.hostname === "" || url.port === "0") return false
  return /^\/?$/.test(`${url.pathname}${url.search}${url.hash}`) && isDecodable(url.username + url.password)
}

const SmtpAddress = textThat(
  isSmtpAddress,
  "must be the address of a mail server, such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start"
)

const senderIn = (text: string): Sender => {
  const [, name = "", address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, "$1"), address: address.trim() }
}

const isSender = ({ address, name }: Sender): boolean =>
  isEmail(address) && !/[<>",;]/.test(address) && !/[<>"]|\p{Cc}/u.test(name)

/** `ada@example.com` or `Ada <ada@example.com>`. */
const MailSender = textThat(
  (text) => isSender(senderIn(text)),
  "must be an e-mail address, also with a name, such as Solar Sites <solar@example.com>"
).pipe(
  Schema.decodeTo(
    Schema.Struct({ name: Schema.String, address: Schema.String }),
    SchemaTransformation.transform({ decode: senderIn, encode: ({ address, name }) => `${name} <${address}>` })
  )
)

const url = Config.schema(Schema.RedactedFromValue(SmtpAddress), "SMTP_URL")
const from = Config.schema(MailSender, "MAIL_FROM")

const missing = Config.schema(
  Schema.Undefined.check(Schema.makeFilter(() => false, { message: "must be set with SMTP_URL" })),
  "MAIL_FROM"
)

/** `MAIL_FROM` is required with `SMTP_URL`. */
export const mailSettings = Config.flatMap(
  Config.all({ url: Config.option(url), from: Config.option(from) }),
  ({ from, url }) => {
    if (Option.isNone(url)) return Config.succeed(Option.none())
    return Option.isNone(from)
      ? Config.map(missing, Option.none)
      : Config.succeed(Option.some({ url: url.value, from: from.value }))
  }
)

/** `url` holds a password. */
export type MailSettings = Option.Option.Value<Config.Success<typeof mailSettings>>
