/**
 * Dependencies that reach users: those of the public packages and of the server with its console.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { parse } from "yaml"

/** pnpm 10 asks an audit endpoint that the registry has retired, and writes no SBOM. */
export const pnpm11 = ["-y", "pnpm@11.28.10"]

/** Packages that are shipped. */
export const shippedFilters = ["--filter", "./packages/*", "--filter", "./apps/*"]

/** Development dependencies that the build puts into a public package. `@effect/platform-node` is one of the server, too. */
export const bundled: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["./packages/adapter-postgres", ["postgres"]]
])

export interface Licensed {
  readonly name: string
  readonly versions: ReadonlyArray<string>
  /** SPDX expression from the `package.json`. */
  readonly license: string
}

/** Standard output of `npx`; throws when the command fails. */
export const npx = (args: ReadonlyArray<string>): string =>
  execFileSync("npx", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "inherit"] })

const licencesOf = (args: ReadonlyArray<string>): ReadonlyArray<Licensed> => {
  const byLicence: Record<string, ReadonlyArray<Licensed>> = JSON.parse(
    npx(["-y", "pnpm@10", ...args, "licenses", "list", "--json"])
  )
  return Object.values(byLicence).flat()
}

/** Names of packages for one platform. */
export const platformPackages = (): ReadonlySet<string> => {
  const { packages }: { packages: Record<string, object> } = parse(readFileSync("pnpm-lock.yaml", "utf8"))
  const ids = Object.entries(packages).filter(([, entry]) => "os" in entry || "cpu" in entry)
  return new Set(ids.map(([id]) => id.replace(/@[^@]+$/, "")))
}

/** Licences of everything that is shipped and installed here, by name. */
export const shippedLicences = (): ReadonlyArray<Licensed> => {
  const installed = licencesOf([...shippedFilters, "--prod"])
  const inBuilds = [...bundled].flatMap(([project, names]) =>
    licencesOf(["--filter", project, "--dev"]).filter(({ name }) => names.includes(name))
  )
  return [...installed, ...inBuilds].sort((a, b) => (a.name < b.name ? -1 : 1))
}
