/** An organisation with an owner and two portfolios, beside another organisation. */

import { expect } from "vitest"
import type { Role } from "../../src/accounts/people/Role.ts"
import type { Variables } from "../SolarSitesProcess.ts"
import type { Browser, Received } from "./Browser.ts"
import { consoleInstance } from "./ConsoleInstance.ts"

export const unknownId = "0190a5c0-0000-7000-8000-000000000000"

export const one = { siteName: "Long Meadow", capacity: 1, unit: "MW" }

export const idsOf = ({ json }: Received): ReadonlyArray<string> =>
  Object(json["data"]).map(({ id }: { readonly id: string }) => id)

/** Status and body without what names the request and the id. */
export const answerTo = (id: string, { json, status, text }: Received) => [
  status,
  text.replaceAll(String(json["requestId"]), "REQUEST").replaceAll(id, "ID")
]

export const portfolioOf = async (browser: Browser, name: string): Promise<string> => {
  const made = await browser.send("POST /console/api/portfolios", { body: { portfolios: [{ name }] } })
  expect(made.status).toBe(201)
  return idsOf(made)[0] ?? ""
}

export const siteIn = async (browser: Browser, portfolioId: string): Promise<string> => {
  const made = await browser.send("POST /console/api/sites", { body: { ...one, portfolioId } })
  expect(made.status).toBe(201)
  return String(made.json["id"])
}

export const invite = (browser: Browser, input: Readonly<Record<string, unknown>> = {}) => {
  const email = `invited.${crypto.randomUUID()}@example.com`
  return browser.send("POST /console/invitations", { body: { email, role: "viewer", ...input } })
}

export const limitedSetup = async (variables: Variables) => {
  const instance = await consoleInstance(variables)
  const organisationId = await instance.newOrganisation()
  const owner = await instance.newUser(organisationId, "owner")
  const ada = await instance.loggedIn(owner)
  const [north, south] = [await portfolioOf(ada, "North"), await portfolioOf(ada, "South")]
  const stranger = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
  const foreign = await portfolioOf(stranger, "Foreign")

  const change = (id: string, body: unknown, by = ada) => by.send(`PUT /console/users/${id}`, { body })

  /** A user with the limit, and its session. */
  const limited = async (role: Role, ...portfolioIds: ReadonlyArray<string>) => {
    const user = await instance.newUser(organisationId, role)
    expect((await change(user.id, { portfolioIds })).json["portfolioIds"]).toEqual(portfolioIds)
    return { id: user.id, browser: await instance.loggedIn(user) }
  }

  return { instance, organisationId, owner, ada, north, south, stranger, foreign, change, limited }
}

export type LimitedSetup = Awaited<ReturnType<typeof limitedSetup>>
