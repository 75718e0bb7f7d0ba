/**
 * What a model is compared with.
 */

import type { SolarSites } from "@solar-sites/core"
import type { User } from "../PeopleState.ts"

export interface Delivery {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ReceivedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Target {
  readonly servers: number
  /** Time until every server refuses a key that was revoked on another, with a margin for a busy machine. */
  readonly revocationMillis: () => number

  /** `server` counts from 0. */
  readonly fetch: (toRequest: (base: string) => Request, server: number) => Promise<Response>
  /** Sends a file to an upload address, or reads from a download address. */
  readonly file: (url: string, init?: RequestInit) => Promise<Response>
  /** Time of the servers, in milliseconds. */
  readonly now: () => number
  /** The service ends and begins again on the same data. */
  readonly restart: () => Promise<void>
  /** Undefined where time cannot be moved. */
  readonly advance?: (millis: number) => Promise<void>
  /** Ends a server with SIGKILL and starts it again. Undefined where it would end the proof. */
  readonly kill?: (server: number) => Promise<void>
  /** Cuts the connections to Redis, or allows them again. */
  readonly setRedis?: (isThere: boolean) => Promise<void>
  /** What receivers of webhooks got so far; undefined where they are not at hand. */
  readonly deliveries?: () => ReadonlyArray<Delivery>
  /** Mails that the service has sent so far; undefined where it sends none. */
  readonly mails?: () => ReadonlyArray<ReceivedMail>
  /** Methods and paths of the console. */
  readonly endpoints?: ReadonlyArray<string>
  /** What an operator does through the library. */
  readonly solarSites: SolarSites
  /** Undefined on targets without a console. */
  readonly createUser?: (
    organisation: string,
    request: Pick<User, "email" | "name" | "role"> & { readonly password: string }
  ) => Promise<{ readonly id: string }>
  /** Says whether another organisation has one of the domains. Undefined without a console. */
  readonly setLoginDomains?: (organisation: string, domains: ReadonlyArray<string>) => Promise<"set" | "taken">
  /** A code of the provider that users log in at, for the address that a login went to. */
  readonly grant?: (address: URL, claims: Readonly<Record<string, unknown>>) => string
  readonly close: () => Promise<void>
}

/** What the sequences of a run share. */
export interface Place {
  readonly make: () => Promise<Target>

  readonly close: () => Promise<void>
}
