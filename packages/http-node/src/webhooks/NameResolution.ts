/**
 * Resolution of host names to addresses.
 */
import { lookup, Resolver } from "node:dns/promises"

/**
 * Resolves a host name to all its addresses: none for an unknown name. Rejects when name servers
 * give no answer. The signal ends the resolution.
 */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<ReadonlyArray<string>>

const absent: ReadonlyArray<unknown> = ["ENOTFOUND", "ENODATA", "EBADNAME"]

const isAbsent = (error: unknown): boolean => absent.includes(Reflect.get(Object(error), "code"))

/**
 * Asks name servers, by default those of the system. `lookup` of Node would hold one of the few
 * threads that files and passwords need, too, while a name server of a receiver is slow.
 */
export const resolverAt =
  (servers?: ReadonlyArray<string>): ResolveName =>
  async (name, signal) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    signal.addEventListener("abort", () => resolver.cancel(), { once: true })
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
    for (const answer of answers) {
      if (addresses.length === 0 && answer.status === "rejected" && !isAbsent(answer.reason)) throw answer.reason
    }
    return addresses
  }

/** Asks the operating system, with its hosts file and search domains. Ignores the signal. */
export const resolveLocalName: ResolveName = async (name) => {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
