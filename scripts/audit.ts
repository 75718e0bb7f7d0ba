/**
 * Compares all locked dependencies of the workspace with the advisories of the registry. An advisory fails the check
 * unless it is in `exceptions`.
 *
 * A registry that does not answer is reported and passes, except with `REQUIRE_AUDIT=1`.
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { pnpm11 } from "./shipped.ts"

/** Accepted advisories (`GHSA-…`), each with the reason why it does not concern this workspace. */
const exceptions: Readonly<Record<string, string>> = {}

const timeoutMillis = 120_000

interface Advisory {
  readonly github_advisory_id: string
  readonly module_name: string
  readonly severity: string
  readonly title: string
  readonly vulnerable_versions: string
  readonly findings: ReadonlyArray<{ readonly version: string; readonly paths: ReadonlyArray<string> }>
}

/** What `pnpm audit --json` prints. */
export interface AuditReport {
  readonly advisories?: Readonly<Record<string, Advisory>>
  readonly error?: { readonly message: string }
}

/** One sentence per advisory that is not accepted, and per exception that no advisory needs. */
export const faultsOf = (
  advisories: ReadonlyArray<Advisory>,
  accepted: Readonly<Record<string, string>>
): ReadonlyArray<string> => {
  const reported = new Set(advisories.map(({ github_advisory_id }) => github_advisory_id))
  const open = advisories
    .filter(({ github_advisory_id }) => accepted[github_advisory_id] === undefined)
    .map(({ findings, github_advisory_id, module_name, severity, title, vulnerable_versions }) => {
      const [path = module_name] = findings.flatMap(({ paths }) => paths)
      return `${severity}: ${module_name} ${vulnerable_versions}: ${title} (${github_advisory_id}, by ${path})`
    })
  const stale = Object.keys(accepted).filter((id) => !reported.has(id))
  return [...open, ...stale.map((id) => `${id} is no longer reported: remove the exception`)]
}

/** The exit code of the check. Prints the result, or the reason why there is none. */
export const judge = (report: AuditReport, isRequired: boolean, accepted = exceptions): number => {
  if (report.advisories === undefined) {
    const reason = report.error?.message ?? "pnpm printed no report"
    console.error(`The dependencies are not audited: ${reason.trim()}`)
    return isRequired ? 1 : 0
  }
  const advisories = Object.values(report.advisories)
  const faults = faultsOf(advisories, accepted)
  for (const fault of faults) console.error(fault)
  console.log(`${advisories.length} advisories, ${Object.keys(accepted).length} exceptions, ${faults.length} faults`)
  return faults.length > 0 ? 1 : 0
}

const ask = (): AuditReport => {
  const { stderr, stdout } = spawnSync("npx", [...pnpm11, "audit", "--json"], {
    encoding: "utf8",
    timeout: timeoutMillis
  })
  try {
    return JSON.parse(stdout)
  } catch {
    return { error: { message: (stderr ?? "").trim().split("\n").at(-1) ?? "" } }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = judge(ask(), process.env["REQUIRE_AUDIT"] === "1")
}
