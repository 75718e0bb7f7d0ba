/**
 * CycloneDX document of what is shipped: `node scripts/sbom.ts FILE`. pnpm writes it; licences and
 * packages that only a build contains are added.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { bundled, type Licensed, npx, pnpm11, shippedFilters, shippedLicences } from "./shipped.ts"

interface Component {
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly purl: string
}

/** The parts of a CycloneDX document that are changed here. */
export interface Bom {
  readonly metadata: { readonly component: Component }
  readonly components: ReadonlyArray<Component>
}

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`)

const read = (filters: ReadonlyArray<string>, kind: "--prod" | "--dev"): Bom =>
  JSON.parse(npx([...pnpm11, ...filters, "sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", kind]))

/** `bom` with the version of the product, `more` components, and the licence of each component that has a known one. */
export const completed = (
  bom: Bom,
  version: string,
  more: ReadonlyArray<Component>,
  licences: ReadonlyArray<Licensed>
): Bom => {
  const known = new Map(
    licences.flatMap(({ license, name, versions }) => versions.map((each) => [`${name}@${each}`, license] as const))
  )
  const withLicence = (component: Component) => {
    const expression = known.get(`${nameOf(component)}@${component.version}`)
    return expression === undefined ? component : { ...component, licenses: [{ expression }] }
  }
  const name = "solar-sites"
  return {
    ...bom,
    metadata: {
      ...bom.metadata,
      component: { ...bom.metadata.component, name, version, purl: `pkg:npm/${name}@${version}` }
    },
    components: [...bom.components, ...more].map(withLicence)
  }
}

/** Writes the document into a file. */
export const writeSbom = (path: string): void => {
  const { version }: { version: string } = JSON.parse(readFileSync("packages/core/package.json", "utf8"))
  const more = [...bundled].flatMap(([project, names]) =>
    read(["--filter", project], "--dev").components.filter((component) => names.includes(nameOf(component)))
  )
  const bom = completed(read(shippedFilters, "--prod"), version, more, shippedLicences())
  writeFileSync(path, `${JSON.stringify(bom, null, 2)}\n`)
  console.log(`${path}: ${bom.components.length} components`)
}

const [, script, path] = process.argv
if (script === fileURLToPath(import.meta.url) && path !== undefined) writeSbom(path)
