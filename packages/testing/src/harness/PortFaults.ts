/**
 * Fault injection: methods of ports fail like a lost connection.
 */
import {
  ApiKeyStore,
  DocumentMaintenance,
  DocumentRepository,
  DocumentStorage,
  EventRepository,
  IdempotencyStore,
  OmRecordDirectory,
  OrganisationRepository,
  PortfolioRepository,
  Records,
  RepositoryError,
  RequirementRepository,
  SiteRepository,
  type SolarSitesServices,
  StorageError,
  WebhookQueue
} from "@solar-sites/core"
import { Context, Effect } from "effect"

const ports = {
  ApiKeyStore,
  DocumentMaintenance,
  DocumentRepository,
  DocumentStorage,
  EventRepository,
  IdempotencyStore,
  OmRecordDirectory,
  OrganisationRepository,
  PortfolioRepository,
  RequirementRepository,
  SiteRepository,
  WebhookQueue
}
type Ports = typeof ports

/** Commands that rules decide. One fails at its first access to the records. */
const commands = [
  "ApiKeyStore.delete",
  "ApiKeyStore.findById",
  "ApiKeyStore.insert",
  "ApiKeyStore.list",
  "ApiKeyStore.rotate",
  "DocumentRepository.claimFile",
  "DocumentRepository.delete",
  "DocumentRepository.findById",
  "DocumentRepository.findExisting",
  "DocumentRepository.insertMany",
  "DocumentRepository.reopen",
  "DocumentRepository.step",
  "DocumentRepository.update",
  "PortfolioRepository.findById",
  "PortfolioRepository.insertMany",
  "PortfolioRepository.update",
  "RequirementRepository.find",
  "RequirementRepository.replace",
  "SiteRepository.findById",
  "SiteRepository.insert",
  "SiteRepository.update",
  "WebhookQueue.disableFailing",
  "WebhookRepository.delete",
  "WebhookRepository.findById",
  "WebhookRepository.findSigning",
  "WebhookRepository.insert",
  "WebhookRepository.insertDelivery",
  "WebhookRepository.list",
  "WebhookRepository.listDeliveries",
  "WebhookRepository.retry",
  "WebhookRepository.rotateSecret",
  "WebhookRepository.update"
] as const

const named: ReadonlyArray<readonly [string, Context.Key<SolarSitesServices.SolarSitesPorts, object>]> =
  Object.entries(ports)

/**
 * A method that can fail, such as `SiteRepository.insert`. `AccessChanges` and `RateLimiter`
 * promise never to fail and are excluded.
 */
export type PortMethod =
  | {
      [Port in keyof Ports]: `${Port}.${keyof Context.Service.Shape<Ports[Port]> & string}`
    }[keyof Ports]
  | (typeof commands)[number]

/** Control of faults. */
export interface PortFaults {
  readonly failNext: (method: PortMethod) => void
  readonly failWhile: <A>(method: PortMethod, work: () => A | Promise<A>) => Promise<A>
}

const cause = new Error("connection lost (requested by the test)")

const lostDatabase = (operation: string) => new RepositoryError({ operation, retryable: true, cause })

const lostConnection = (port: string, operation: string): RepositoryError | StorageError =>
  port === "DocumentStorage" ? new StorageError({ operation, reason: "unavailable", cause }) : lostDatabase(operation)

/** Wraps the ports with methods that fail on demand, and returns the control. */
export const withFaults = <Others>(
  context: Context.Context<SolarSitesServices.SolarSitesPorts | Others>
): readonly [Context.Context<SolarSitesServices.SolarSitesPorts | Others>, PortFaults] => {
  const known = new Set<string>(commands)
  const once = new Map<string, number>()
  const meanwhile = new Map<string, number>()

  const add = (counts: Map<string, number>, method: string, more: number) =>
    counts.set(method, (counts.get(method) ?? 0) + more)

  const shouldFail = (method: string): boolean => {
    if ((meanwhile.get(method) ?? 0) > 0) return true
    if ((once.get(method) ?? 0) === 0) return false
    add(once, method, -1)
    return true
  }

  const failing = named.map(([name, port]) => {
    const intact = Context.getUnsafe(context, port)
    for (const method of Object.keys(intact)) known.add(`${name}.${method}`)
    const service = new Proxy(intact, {
      get: (target, key, receiver) => {
        const method = Reflect.get(target, key, receiver)
        if (typeof method !== "function" || typeof key !== "string") return method
        const operation = `${name}.${key}`
        return (...args: ReadonlyArray<unknown>) =>
          Effect.suspend(() =>
            shouldFail(operation) ? Effect.fail(lostConnection(name, operation)) : method.apply(target, args)
          )
      }
    })
    return Context.make(port, service)
  })

  const { commit, list, load } = Context.getUnsafe(context, Records)
  /** An access to the records for a command that may have to fail. */
  const orFault =
    <Rest extends ReadonlyArray<unknown>, A>(
      access: (operation: string, ...rest: Rest) => Effect.Effect<A, RepositoryError>
    ) =>
    (operation: string, ...rest: Rest): Effect.Effect<A, RepositoryError> =>
      Effect.suspend(() => (shouldFail(operation) ? Effect.fail(lostDatabase(operation)) : access(operation, ...rest)))

  const check = (method: PortMethod): void => {
    if (!known.has(method))
      throw new TypeError(`unknown port method ${method}; expected one of ${[...known].join(", ")}`)
  }

  return [
    Context.mergeAll(
      context,
      ...failing,
      Context.make(Records, { commit: orFault(commit), load: orFault(load), list: orFault(list) })
    ),
    {
      failNext: (method) => {
        check(method)
        add(once, method, 1)
      },
      failWhile: async (method, work) => {
        check(method)
        add(meanwhile, method, 1)
        try {
          return await work()
        } finally {
          add(meanwhile, method, -1)
        }
      }
    }
  ]
}
