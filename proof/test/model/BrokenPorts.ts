/** Ports of which one is broken: it forgets the organisation, or the portfolios of its caller. */
import { type Found, type OrganisationId, type Reach, Records, reachParts } from "@solar-sites/core"
import { Context, Effect, Option } from "effect"
import type { Ports } from "../../src/model/targets/InProcess.ts"

type Method = (organisation: string, ...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/** The ports, and the organisations that have records. */
const withOwners = (ports: Ports) => {
  const intact = Context.get(ports, Records)
  const known = new Set<OrganisationId>()
  const commit: typeof intact.commit = (of, organisation, change) => {
    known.add(organisation)
    return intact.commit(of, organisation, change)
  }
  const othersThan = (own: string) => [...known].filter((other) => other !== own)
  return { records: { ...intact, commit }, othersThan }
}

/** The port with a method that leaves the organisation out of its statement: it finds the first record. */
export const forgetting =
  <Id, Port extends object>(key: Context.Key<Id, Port>, name: keyof Port & string) =>
  (ports: Ports): Ports => {
    // The ports of a target hold the port of every key.
    const intact = Context.getUnsafe(ports, key as never) as Port
    const method = Reflect.get(intact, name) as Method
    const { othersThan, records } = withOwners(ports)
    const found = (answer: unknown) => answer !== null && !(Option.isOption(answer) && Option.isNone(answer))
    const forgotten: Method = (organisation, ...args) =>
      othersThan(organisation).reduce(
        (attempt, other) =>
          Effect.matchEffect(attempt, {
            onSuccess: (answer) => (found(answer) ? Effect.succeed(answer) : method(other, ...args)),
            onFailure: () => method(other, ...args)
          }),
        method(organisation, ...args)
      )
    const changed = Context.add(ports, Records, records)
    return Context.add(changed, key as never, { ...intact, [name]: forgotten } as never)
  }

/** The port with a method that forgets the portfolios of its caller. */
export const withoutLimit =
  <Id, Port extends object>(key: Context.Key<Id, Port>, name: keyof Port & string) =>
  (ports: Ports): Ports => {
    // The ports of a target hold the port of every key.
    const intact = Context.getUnsafe(ports, key as never) as Port
    const method: unknown = Reflect.get(intact, name)
    if (typeof method !== "function") throw new Error(`${name} is no method`)
    const forgetful = (reach: Reach, ...rest: ReadonlyArray<unknown>) =>
      method(reachParts(reach).organisationId, ...rest)
    return Context.add(ports, key as never, { ...intact, [name]: forgetful } as never)
  }

/** The ports with records that an operation loads without regard to the organisation. */
export const forgettingIn =
  (operation: string) =>
  (ports: Ports): Ports => {
    const { othersThan, records } = withOwners(ports)
    const isFound = ({ answers }: Found) => answers.some(({ stored }) => stored.length > 0)
    const load: typeof records.load = (of, organisation, ...rest) => {
      const own = records.load(of, organisation, ...rest)
      if (of !== operation) return own
      return othersThan(organisation).reduce(
        (attempt, other) =>
          Effect.flatMap(attempt, (found) =>
            isFound(found) ? Effect.succeed(found) : records.load(of, other, ...rest)
          ),
        own
      )
    }
    return Context.add(ports, Records, { ...records, load })
  }
