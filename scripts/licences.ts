/**
 * Compares `docs/licences.md` with the licences of the shipped dependencies. `--write` writes it.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Licensed, platformPackages, shippedLicences } from "./shipped.ts"

const page = "docs/licences.md"

/** Accepted licences, as SPDX expressions, with what they demand of a distribution. */
export const allowed: ReadonlyMap<string, string> = new Map([
  ["MIT", "copyright notice and licence text"],
  ["ISC", "copyright notice and licence text"],
  ["BSD-2-Clause", "copyright notice and licence text"],
  ["BSD-3-Clause", "the same; no advertising with the names of its authors"],
  ["Apache-2.0", "licence text, its NOTICE file, marked changes; grants patents"],
  ["MIT-0", "nothing"],
  ["0BSD", "nothing"],
  ["Unlicense", "nothing"],
  ["(MIT OR CC0-1.0)", "nothing: taken under CC0-1.0"]
])

/** One sentence for each licence that is not accepted, with its package. */
export const faultsOf = (packages: ReadonlyArray<Licensed>): ReadonlyArray<string> =>
  packages
    .filter(({ license }) => !allowed.has(license))
    .map(({ license, name }) => `${name} has the licence ${license}, which scripts/licences.ts does not accept`)

/** The page; versions are left out, so that an update of a package does not change it. */
export const render = (packages: ReadonlyArray<Licensed>): string => {
  const rows = [...allowed].flatMap(([licence, demands]) => {
    const names = [...new Set(packages.filter(({ license }) => license === licence).map(({ name }) => `\`${name}\``))]
    return names.length === 0 ? [] : [`| ${licence} | ${demands} | ${names.length} | ${names.join(", ")} |`]
  })
  return `# Licences of dependencies

Solar Sites is licensed under MIT. Public packages, the server and the console contain or install
the packages below. \`node scripts/licences.ts --write\` writes this page, and \`check\` compares it.
A licence that the table in \`scripts/licences.ts\` does not accept fails the check.

| Licence | demands | Packages | Names |
|---|---|---|---|
${rows.join("\n")}

Copyleft licences are not accepted. Packages for one platform are left out; they have the licence
of their parent. Notices of code inside a build are beside it: \`THIRD-PARTY-NOTICES.md\` in a
package, \`licences.md\` in the files of the console.
`
}

const main = (): number => {
  const onePlatform = platformPackages()
  const packages = shippedLicences().filter(({ name }) => !onePlatform.has(name))
  const faults = faultsOf(packages)
  for (const fault of faults) console.error(fault)
  const expected = render(packages)
  if (process.argv.includes("--write")) writeFileSync(page, expected)
  const isCurrent = readFileSync(page, "utf8") === expected
  if (!isCurrent) console.error(`${page} is out of date: run node scripts/licences.ts --write`)
  console.log(`${packages.length} packages, ${faults.length} faults`)
  return faults.length === 0 && isCurrent ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main()
