/**
 * The matrix: each dependency with each fault of its network and its process, and the server
 * itself.
 */
import { execFile } from "node:child_process"
import { readdir } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import type { Network } from "../Network.ts"
import { fullDatabase, fullFolder, leftBytes } from "./disk.ts"
import type { Disturbance, Outcome } from "./judge.ts"
import { type Outage, runOutage } from "./outage.ts"
import { type ServiceName, serviceNames } from "./Services.ts"
import type { System } from "./System.ts"

export interface Case extends Disturbance {
  /** Dependency and fault, such as `redis: reset`. */
  readonly name: string
  readonly target: ServiceName | "server"
  /** Takes too long for the short form, such as requests that wait for 10 s. */
  readonly isLong: boolean
  /** A text is the reason why it cannot run on this machine. */
  readonly run: (system: System, windowMillis: number) => Promise<Outcome | string>
}

/** The fault is of a dependency and in the short form, unless the parts say otherwise. */
const outage = (
  target: Case["target"],
  fault: string,
  { begin, end, ...parts }: Outage & Partial<Disturbance & Pick<Case, "isLong">>
): Case => ({
  ...{ target, name: `${target}: ${fault}`, isOfServer: false, isLong: false },
  ...parts,
  run: (system, windowMillis) => runOutage(system, { begin, end, services: parts.services }, windowMillis)
})

export const targets = [...serviceNames, "server"] as const

interface NetworkFault {
  readonly name: string
  readonly begin: (network: Network) => void | Promise<void>
  readonly end?: (network: Network) => Promise<void>
}

const networkFaults: ReadonlyArray<NetworkFault> = [
  { name: "latency", begin: ({ set }) => set({ latencyMillis: 100 }) },
  { name: "bandwidth", begin: ({ set }) => set({ bytesPerSecond: 65_536 }) },
  { name: "blackhole", begin: ({ set }) => set({ drop: true }) },
  {
    name: "half-close",
    begin: ({ halfClose, set }) => {
      set({ onConnect: "halfClose" })
      halfClose("client")
    }
  },
  {
    name: "reset",
    begin: ({ reset, set }) => {
      set({ onConnect: "reset" })
      reset()
    }
  },
  { name: "refused", begin: ({ refuse }) => refuse(), end: ({ accept }) => accept() }
]

const ofNetwork = (target: ServiceName, { begin, end, name }: NetworkFault): Case =>
  outage(target, name, {
    services: [target],
    isLong: name === "blackhole" && (target === "openid" || target === "smtp" || target === "webhooks"),
    begin: async ({ services: { networks } }) => begin(networks[target]),
    end: async ({ services: { networks } }) => {
      networks[target].set({})
      await end?.(networks[target])
    }
  })

const ofProgram = (target: "postgres" | "redis" | "s3"): ReadonlyArray<Case> => {
  const program = ({ services: { programs } }: System) => programs[target]
  const services = [target]
  return [
    outage(target, "SIGSTOP", {
      services,
      begin: (system) => program(system).freeze(),
      end: (system) => program(system).thaw()
    }),
    outage(target, "SIGKILL", {
      services,
      begin: (system) => program(system).kill(),
      end: (system) => program(system).start()
    })
  ]
}

// Signatures of S3, tokens of a provider and logins under way hold for some minutes.
const skewed = { services: ["s3"], codes: ["oidc_failed", "oidc_expired"] } as const
const hourMillis = 3_600_000

// `DATABASE_POOL_SIZE`, and some more.
const poolSize = 15

/** Sets the limit of open files. Node has raised it to the hard limit. */
const limitFiles = async (pid: number, limit: string): Promise<void> => {
  await promisify(execFile)("prlimit", ["--pid", String(pid), `--nofile=${limit}:`])
}

const openFiles = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length

const stopped = { isOfServer: true, services: [] }

const ofServer: ReadonlyArray<Case> = [
  outage("server", "SIGSTOP", {
    ...stopped,
    // The deadline of a statement under way passes meanwhile.
    codes: ["database_unavailable"],
    begin: async ({ server }) => server().kill("SIGSTOP"),
    end: async ({ server }) => server().kill("SIGCONT")
  }),
  outage("server", "SIGKILL", { ...stopped, begin: ({ kill }) => kill(), end: ({ restart }) => restart() }),
  outage("server", "no descriptors", {
    ...{ isOfServer: true, services: serviceNames },
    // Connections to the database are reset and cannot be opened again.
    begin: async ({ server, services: { networks } }) => {
      const { pid } = server()
      await limitFiles(pid, String((await openFiles(pid)) - poolSize))
      networks.postgres.reset()
    },
    end: async ({ server }) => limitFiles(server().pid, "20000")
  }),
  outage("server", "clock an hour ahead", {
    ...skewed,
    begin: async ({ shiftClock }) => {
      await shiftClock(hourMillis)
      await sleep(50)
    },
    end: ({ shiftClock }) => shiftClock(0)
  }),
  outage("server", "clock an hour behind", {
    ...skewed,
    begin: ({ shiftClock }) => shiftClock(-hourMillis),
    end: ({ shiftClock }) => shiftClock(0)
  })
]

const disk = { target: "server", services: [], isOfServer: false } as const

export const cases: ReadonlyArray<Case> = [
  ...serviceNames.flatMap((target) => networkFaults.map((fault) => ofNetwork(target, fault))),
  ...(["postgres", "redis", "s3"] as const).flatMap(ofProgram),
  ...ofServer,
  { ...disk, name: "server: folder full", codes: ["storage_full"], isLong: false, run: fullFolder },
  ...(["tables", "log"] as const).map((full) => ({
    ...disk,
    name: `server: database full (${full})`,
    codes: ["database_unavailable"],
    isLong: true,
    run: () => fullDatabase(leftBytes[full])
  }))
]
