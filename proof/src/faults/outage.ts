/**
 * One fault: requests before, during and after it, and whether everything acknowledged is still there.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Observation, Outcome } from "./judge.ts"
import { call, createSite, makeProbes, measure, type Probe, requestMail } from "./probes.ts"
import type { ServiceName } from "./Services.ts"
import { askStore, type System } from "./System.ts"

export interface Outage {
  readonly begin: (system: System) => Promise<unknown>
  readonly end: (system: System) => Promise<unknown>
  readonly services: ReadonlyArray<ServiceName>
}

// The proof fails by its bounds long before.
const patienceMillis = 60_000
const mailsDuring = 3

/** Polls until the condition holds; false after the patience. */
const until = async (holds: () => boolean, patience = patienceMillis): Promise<boolean> => {
  const deadline = performance.now() + patience
  while (!holds() && performance.now() < deadline) await sleep(10)
  return holds()
}

/** Repeats a probe until it succeeds so many times in a row; the instant of the first of these. */
const recovered = async (
  probe: Probe,
  goodInRow: number,
  note: (observation: Observation) => void
): Promise<number> => {
  const deadline = performance.now() + patienceMillis
  let inRow = 0
  let at = performance.now()
  while (inRow < goodInRow && performance.now() < deadline) {
    const observation = await measure(probe)
    note(observation)
    if (observation.isGood && inRow++ === 0) at = performance.now()
    if (!observation.isGood) inRow = 0
    await sleep(Math.min(probe.pauseMillis, 50))
  }
  return inRow === goodInRow ? at : Number.POSITIVE_INFINITY
}

/** Instants at which work in the background succeeds that was asked for after the fault. */
const recoveredWork = (system: System, services: ReadonlyArray<ServiceName>): ReadonlyArray<Promise<number>> => {
  const at = (isDone: boolean) => (isDone ? performance.now() : Number.POSITIVE_INFINITY)
  const mail = async () => {
    const { email } = await system.newUser()
    await requestMail(system, email)
    return at(await until(() => system.services.mails.received.some(({ to }) => to.includes(email))))
  }
  const event = async () => {
    const { name } = await createSite(system)
    return at(await until(() => system.services.receiver.names.has(name)))
  }
  return [...(services.includes("smtp") ? [mail()] : []), ...(services.includes("webhooks") ? [event()] : [])]
}

const lostSites = async (system: System): Promise<ReadonlyArray<string>> => {
  const { json } = await call(system, "GET /api/sites")
  const stored = new Set(Array.isArray(json["data"]) ? json["data"].map(({ siteName }) => siteName) : [])
  return [...system.acknowledged.sites].filter((name) => !stored.has(name))
}

const lostDocuments = async (system: System): Promise<ReadonlyArray<string>> => {
  const lost: Array<string> = []
  for (const [id, content] of system.acknowledged.documents) {
    const { json } = await call(system, `GET /api/docs/${id}/download-url`)
    const { body } = await askStore(system.services, String(json["url"] ?? "http://absent"), "GET")
    if (body !== content) lost.push(`document ${id}`)
  }
  return lost
}

/** Events and mails that never arrive. */
const lostWork = async (system: System, services: ReadonlyArray<ServiceName>): Promise<ReadonlyArray<string>> => {
  const { acknowledged, services: all } = system
  const missingEvents = () => [...acknowledged.sites].filter((name) => !all.receiver.names.has(name))
  // The second attempt follows after 10 s by itself, which the tests of webhooks show.
  if (!(await until(() => missingEvents().length === 0, 1_000))) await system.retryDeliveries()
  await until(() => missingEvents().length === 0)
  const missingMails = () =>
    [...acknowledged.mails].filter((email) => !all.mails.received.some(({ to }) => to.includes(email)))
  if (services.includes("smtp")) await until(() => missingMails().length === 0)
  const mails = services.includes("smtp") ? missingMails().map((email) => `mail to ${email}`) : []
  return [...missingEvents().map((name) => `event of ${name}`), ...mails]
}

/** What was acknowledged counts anew from here, so that the check takes the same time for each fault. */
const forget = ({ acknowledged: { documents, mails, sites } }: System): void => {
  for (const one of [sites, documents, mails]) one.clear()
}

export const runOutage = async (
  system: System,
  { begin, end, services }: Outage,
  windowMillis: number
): Promise<Outcome> => {
  forget(system)
  const users = services.includes("smtp") ? await Promise.all(Array.from({ length: mailsDuring }, system.newUser)) : []
  const emails = users.map(({ email }) => email)
  const probes = await makeProbes(system, emails)
  const observations: Array<Observation> = []
  const note = (observation: Observation) => void observations.push(observation)
  const started = await Promise.all(probes.map((probe) => recovered(probe, 1, () => {})))
  const idle = probes.filter((_, index) => started[index] === Number.POSITIVE_INFINITY).map(({ name }) => name)
  if (idle.length > 0) throw new Error(`These requests fail before the fault: ${idle.join(", ")}`)

  let isOver = false
  await begin(system)
  const during = Promise.all(
    probes.map(async (probe) => {
      while (!isOver) {
        note(await measure(probe))
        await sleep(probe.pauseMillis)
      }
    })
  )
  await sleep(windowMillis)
  await end(system)
  const endedAt = performance.now()
  isOver = true
  const [requests, work] = await Promise.all([
    Promise.all(probes.map((probe) => recovered(probe, 2, note))),
    Promise.all(recoveredWork(system, services)),
    during
  ])
  const lost = [...(await lostSites(system)), ...(await lostDocuments(system)), ...(await lostWork(system, services))]
  const recoveredAt = Math.max(...requests)
  return {
    observations,
    recoveryMillis: recoveredAt - endedAt,
    lastToRecover: probes[requests.indexOf(recoveredAt)]?.name ?? "",
    deliveryMillis: Math.max(endedAt, ...work) - endedAt,
    lost,
    crash: system.crash()
  }
}

export const createWebhooks = async (system: System): Promise<void> => {
  const { bystander, networks, receiver } = system.services
  const events = ["site.created"]
  const own = await call(system, "POST /api/webhooks", { url: `http://127.0.0.1:${networks.webhooks.port}/`, events })
  const url = `http://127.0.0.1:${bystander.port}/`
  const other = await call(system, "POST /api/webhooks", { url, events }, system.bystander)
  if (own.status !== 201 || other.status !== 201) throw new Error(`no webhooks: ${own.status}, ${other.status}`)
  receiver.names.clear()
}
