/** Messages for the incoming webhook of a chat, which takes a POST of `{ "text": … }`. */

const chatUrl = process.env["CHAT_URL"]
/** The address of the console, for links. */
const consoleUrl = process.env["CONSOLE_URL"]

/** The members of a message that are read here. */
interface Message {
  readonly type: string
  readonly data: {
    readonly siteId: string | null
    readonly subject: { readonly name: string | null }
    readonly changes: { readonly validUntil?: { readonly to: string } }
  }
}

const sentences: Readonly<Record<string, (name: string, day: string) => string>> = {
  "document.expiring": (name, day) => `${name} is valid until ${day}.`,
  "document.expired": (name, day) => `${name} has expired: it was valid until ${day}.`,
  "webhook.test": () => "Solar Sites reaches this chat."
}

/** The text about a message; undefined for one that the chat is not told. */
const textOf = ({ data: { changes, siteId, subject }, type }: Message): string | undefined => {
  const sentence = sentences[type]?.(subject.name ?? "A document", changes.validUntil?.to ?? "")
  const link = consoleUrl === undefined || siteId === null ? "" : ` ${consoleUrl}/sites/${siteId}/coverage`
  return sentence === undefined ? undefined : `${sentence}${link}`
}

/** Throws unless the chat takes the message: Solar Sites sends it again then. */
export const tellChat = async (message: unknown): Promise<void> => {
  if (chatUrl === undefined) return
  // The signature was verified, so this is a message of Solar Sites.
  const text = textOf(message as Message)
  if (text === undefined) return
  const { ok, status } = await fetch(chatUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text }),
    signal: AbortSignal.timeout(5_000)
  })
  if (!ok) throw new Error(`the chat answers ${status}`)
}
