/**
 * Mails that a request causes (docs/people.md).
 */
import type { Turn } from "../Call.ts"
import type { Organisation } from "../ModelState.ts"
import type { Mail } from "../PeopleState.ts"

/** The link of the mail gets its token once the mail has arrived. */
export const emitMail = (
  { model }: Pick<Turn, "model">,
  { mails }: Organisation,
  { isDue = true, link = null, subject, to }: Pick<Mail, "to" | "subject"> & Partial<Pick<Mail, "isDue" | "link">>
): void => {
  if (model.hasMail) mails.push({ to, subject, link, isDue, received: false })
}
