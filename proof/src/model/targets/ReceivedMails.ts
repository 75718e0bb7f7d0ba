import type { Received } from "../../../../apps/reference-server/test/mail/MailServer.ts"
import type { ReceivedMail } from "./Target.ts"

/** Only a digest can be ended with one click (RFC 8058). */
const isDigest = ({ headers }: Pick<Received, "headers">): boolean => headers.has("list-unsubscribe-post")

/**
 * Mails that a request causes. Digests are left out: their worker runs in real time, which sequences do not
 * control, and the model has no steps for them.
 */
export const mailsOfRequests = (
  received: ReadonlyArray<Pick<Received, "headers" | "text" | "to">>
): ReadonlyArray<ReceivedMail> =>
  received
    .filter((mail) => !isDigest(mail))
    .map(({ headers, text, to }) => ({ to: to.join(), subject: headers.get("subject") ?? "", text }))
