/**
 * Steps without a call: those of an operator, of time, and of clients of the storage.
 */
import { apiScopes, type SolarSites } from "@solar-sites/core"
import type { Origin } from "./Call.ts"
import { organisationAt } from "./CallTemplate.ts"
import { getAgain, put } from "./Files.ts"
import { between } from "./Match.ts"
import { newOrganisation, type Organisation } from "./ModelState.ts"
import type { Key, Role } from "./PeopleState.ts"
import type { Limit } from "./Reach.ts"
import { isUncertain, lapse } from "./rules/DocumentRecords.ts"
import { keyCreated, keyDeleted, keyRotated, organisationDeleted, statusSet } from "./rules/Keys.ts"
import { userCreated } from "./rules/Users.ts"
import { type Administration, password } from "./steps/Administration.ts"
import { each, firstOf, Mismatch, type TestRun, timed } from "./TestRun.ts"
import { inRun, newEmail, pick } from "./Tokens.ts"

const userOf = ({ marker }: Organisation) => `user-${marker}`

const originOf = (organisation: Organisation, at: Origin["at"]): Origin => ({
  ...{ organisation, at: { ...at }, caller: { key: null, userId: userOf(organisation) } }
})

const years = 3_650 * 86_400_000

const exactly = (instant: unknown) => between(Date.parse(String(instant)), Date.parse(String(instant)))

type ApiKeys = ReturnType<SolarSites["as"]>["apiKeys"]

const keysOf = ({ target: { solarSites } }: TestRun, organisation: Organisation): ApiKeys =>
  solarSites.as({ organisationId: organisation.id, userId: userOf(organisation) }).apiKeys

const seconds = (millis: number) => `${millis / 1_000} seconds` as const

const keyOf = (
  { apiKey: { createdAt, expiresAt, id, prefix }, secret }: Awaited<ReturnType<ApiKeys["create"]>>,
  { life, name, portfolioIds, scopes }: Pick<Key, "life" | "name" | "portfolioIds" | "scopes">,
  createdBy: string
): Key => ({
  ...{ id, secret, prefix, name, scopes, portfolioIds, life, createdBy, deleted: false },
  ...{ createdAt: exactly(createdAt), expiresAt: exactly(expiresAt) }
})

const limitOf = ({ portfolios }: Organisation, indexes: ReadonlyArray<number> | null): Limit => {
  const all = [...portfolios.keys()].sort()
  const chosen = new Set(indexes?.flatMap((index) => pick(all, index) ?? []))
  return chosen.size === 0 ? null : [...chosen]
}

type NewKey = Pick<Extract<Administration, { readonly does: "createKey" }>, "scopes" | "life" | "portfolios">

const createKey = async (
  testRun: TestRun,
  chosen: Organisation,
  { life, portfolios, scopes }: NewKey = { scopes: apiScopes, life: years, portfolios: null }
) => {
  const { id, marker } = chosen
  const request = {
    name: `Key ${marker}`,
    scopes: apiScopes.filter((scope) => scopes.includes(scope)),
    portfolioIds: limitOf(chosen, portfolios)
  }
  const create = () => keysOf(testRun, chosen).create({ ...request, expiresIn: seconds(life) })
  const { at, made } = await timed(testRun, create)
  each(testRun, id, (organisation) =>
    keyCreated(originOf(organisation, at), keyOf(made, { ...request, life }, userOf(organisation)))
  )
}

const createOrganisation = async (testRun: TestRun) => {
  const [model] = testRun.models
  const marker = `Zq${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(model?.organisations.length ?? 0) % 26]}7v`
  const { id } = await testRun.target.solarSites.organisations.create({ name: `Organisation ${marker}` })
  const organisation = newOrganisation(id, `Organisation ${marker}`, marker)
  for (const one of testRun.models) one.organisations.push(structuredClone(organisation))
  await createKey(testRun, organisation)
  await createKey(testRun, organisation)
  await createUser(testRun, organisation, "owner")
}

/** With a password that `steps/People.ts` knows. */
const createUser = async (testRun: TestRun, { id, marker }: Organisation, role: Role) => {
  const [model] = testRun.models
  const organisation = model?.organisations.find((one) => one.id === id)
  if (testRun.target.createUser === undefined || model === undefined || organisation === undefined) return
  const request = {
    email: newEmail(model, organisation, 100 + organisation.events.length),
    name: `Ada ${marker}`,
    password,
    role
  }
  const { at, made } = await timed(testRun, () => testRun.target.createUser?.(id, request) ?? Promise.reject())
  each(testRun, id, (one) =>
    userCreated(
      { organisation: one, at: { ...at } },
      { ...request, id: made.id, createdAt: { ...at }, lastLoginAt: null, passwordVersion: 1, factor: null }
    )
  )
}

const setLoginDomains = async (testRun: TestRun, { id }: Organisation, names: ReadonlyArray<string>) => {
  const domains = names.map((name) => inRun(firstOf(testRun), name))
  const outcome = await testRun.target.setLoginDomains?.(id, domains)
  if (outcome === undefined) return
  const others = firstOf(testRun).organisations.filter((one) => one.id !== id)
  const isTaken = others.some(({ loginDomains }) => loginDomains.some((domain) => domains.includes(domain)))
  if ((outcome === "taken") !== isTaken) throw new Mismatch(`the domains ${domains.join()} are ${outcome}`)
  if (isTaken) return
  each(testRun, id, (organisation) => {
    organisation.loginDomains = domains.toSorted()
  })
}

export const advance = async (testRun: TestRun, by: number) => {
  const { target } = testRun
  if (target.advance === undefined) return
  await target.advance(by)
  const isWaiting = () =>
    testRun.models.some(({ organisations }) => organisations.some((one) => isUncertain(one, target.now())))
  while (isWaiting()) await target.advance(60_000)
  for (const { organisations } of testRun.models) for (const one of organisations) lapse(one, target.now())
}

export const administer = async (
  testRun: TestRun,
  step: Administration | { readonly does: "createOrganisation" }
): Promise<void> => {
  const { target, models } = testRun
  const [model] = models
  if (step.does === "createOrganisation") return createOrganisation(testRun)
  if (step.does === "restart") return target.restart()
  if (step.does === "setRedis") return target.setRedis?.(step.isThere)
  if (step.does === "advance") return advance(testRun, step.by)
  if (model === undefined) return
  if (step.does === "replaceLast") {
    const { id } = organisationAt(model, 2)
    await target.solarSites.organisations.delete(id)
    each(testRun, id, organisationDeleted)
    return createOrganisation(testRun)
  }
  const chosen = organisationAt(model, step.organisation)
  if (step.does === "put") {
    const latest = [...new Map(chosen.addresses.map((address) => [address.documentId, address])).values()]
    const address = latest[step.n % Math.max(1, latest.length)]
    return address === undefined ? undefined : put(testRun, chosen, address, step.how)
  }
  if (step.does === "get") return getAgain(testRun, chosen, step.n)
  if (step.does === "createUser") return createUser(testRun, chosen, step.role)
  if (step.does === "setLoginDomains") return setLoginDomains(testRun, chosen, step.domains)
  if (step.does === "createKey") return createKey(testRun, chosen, step)
  if (step.does === "setStatus") {
    const { status } = step
    const { at } = await timed(testRun, () => target.solarSites.organisations.update(chosen.id, { status }))
    return each(testRun, chosen.id, (organisation) => statusSet({ organisation, at: { ...at } }, status))
  }
  // The first key stays, for the comparison in the end.
  const keys = chosen.keys.slice(1).filter(({ deleted }) => !deleted)
  const key = keys[step.key % Math.max(1, keys.length)]
  if (key === undefined) return
  const inModel = (organisation: Organisation) => organisation.keys.find(({ id }) => id === key.id) ?? key
  if (step.does === "deleteKey") {
    const { at } = await timed(testRun, () => keysOf(testRun, chosen).delete(key.id))
    return each(testRun, chosen.id, (organisation) => keyDeleted(originOf(organisation, at), inModel(organisation)))
  }
  const rotate = () => keysOf(testRun, chosen).rotate(key.id, { overlap: seconds(step.overlap) })
  const { at, made } = await timed(testRun, rotate)
  each(testRun, chosen.id, (organisation) =>
    keyRotated(originOf(organisation, at), inModel(organisation), keyOf(made, key, userOf(organisation)), step.overlap)
  )
}
