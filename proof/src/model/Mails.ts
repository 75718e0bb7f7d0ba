/**
 * Mails that the service sends: each one that the model expects arrives, and no other.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises"
import { advance } from "./Administer.ts"
import { secretsOf } from "./Isolation.ts"
import type { Organisation } from "./ModelState.ts"
import type { Mail } from "./PeopleState.ts"
import { each, firstOf, Mismatch, type TestRun } from "./TestRun.ts"
import type { ReceivedMail } from "./targets/Target.ts"

/** A mail is made so long after the answer. */
const delay = 137
const longestWait = 60_000

const describe = ({ subject, text, to }: ReceivedMail): string => `${to}: ${subject}\n${text}`

/** Domains of addresses are sent in lower case. */
const sentTo = (address: string): string => address.replace(/@.*/, (domain) => domain.toLowerCase())

/** Waits for a mail, while the time of the service runs. */
const arrival = async (testRun: TestRun, { subject, to }: Mail): Promise<ReceivedMail> => {
  const received = testRun.target.mails ?? (() => [])
  const start = performance.now()
  for (let turn = 0; performance.now() - start < longestWait; turn++) {
    const found = received().findIndex(
      (mail, index) => !testRun.mails.has(index) && mail.to === sentTo(to) && mail.subject === subject
    )
    const mail = received()[found]
    if (mail !== undefined) {
      testRun.mails.add(found)
      return mail
    }
    await nextTurn()
    if (turn % 100 === 0) await advance(testRun, delay)
    await sleep(5)
  }
  throw new Mismatch(`no mail to ${to}: ${subject}`)
}

/** Lets the service find out that there is no mail to send. */
const settle = async (testRun: TestRun): Promise<void> => {
  await nextTurn()
  await advance(testRun, delay)
  await sleep(10)
}

const fillLink = (organisation: Organisation, link: NonNullable<Mail["link"]>, token: string): void => {
  organisation.links.push(token)
  if (link.of === "invitation") {
    const invitation = organisation.invitations.get(link.id)
    if (invitation !== undefined) invitation.token = token
    return
  }
  const found = organisation.userLinks.find(({ purpose, userId }) => purpose === link.of && userId === link.id)
  if (found !== undefined) found.token = token
}

const read = (testRun: TestRun, { id }: Organisation, { link }: Mail, mail: ReceivedMail): string | undefined => {
  for (const other of firstOf(testRun).organisations.filter((one) => one.id !== id)) {
    const shown = secretsOf(other).find((one) => mail.text.includes(one))
    if (shown !== undefined) throw new Mismatch(`a mail shows ${shown} of another organisation\n${describe(mail)}`)
  }
  const [, page, token] = /^https?:\/\/[^/\s]+\/(\w+)#(\S{20,})$/m.exec(mail.text) ?? []
  if (page !== link?.of) throw new Mismatch(`a mail has another link than one of ${link?.of}\n${describe(mail)}`)
  return token
}

/** Waits for the mails of the last step, and reads their links. */
export const collectMails = async (testRun: TestRun): Promise<void> => {
  if (testRun.target.mails === undefined) return
  for (const organisation of firstOf(testRun).organisations) {
    for (const [index, mail] of organisation.mails.entries()) {
      if (mail.received) continue
      if (!mail.isDue) await settle(testRun)
      const token = mail.isDue ? read(testRun, organisation, mail, await arrival(testRun, mail)) : undefined
      each(testRun, organisation.id, (one) => {
        const expected = one.mails[index]
        if (expected === undefined) return
        expected.received = true
        if (expected.link !== null && token !== undefined) fillLink(one, expected.link, token)
      })
    }
  }
}

/** Every received mail was expected. */
export const judgeMails = (testRun: TestRun): void => {
  const { mails, target } = testRun
  const possible = firstOf(testRun).organisations.flatMap((organisation) => organisation.mails)
  const surplus = target
    .mails?.()
    .find(
      ({ subject, to }, index) =>
        !mails.has(index) && !possible.some((one) => !one.isDue && sentTo(one.to) === to && one.subject === subject)
    )
  if (surplus !== undefined) throw new Mismatch(`a mail that is not expected\n${describe(surplus)}`)
}
