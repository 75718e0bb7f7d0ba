/** `solar-sites organisations export` and `import`: whole organisations as archives. */
import { resolve } from "node:path"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Manifest } from "../archive/ArchiveFormat.ts"
import { json, organisationId, toggle } from "./Input.ts"
import { printOne } from "./Output.ts"
import { endProgress, showProgress } from "./Progress.ts"
import { withArchive } from "./Services.ts"

const to = Flag.String("to").pipe(
  Flag.withMetavar("FILE"),
  Flag.withDescription("The archive to write, such as sunfield.tar.gz; it must not exist")
)

const file = Argument.String("FILE").pipe(Argument.withDescription("An archive of organisations export"))

const withoutUsers = toggle("without-users", "Leave out the users of the console")

const documentOf = ({ counts, missingFiles, organisation: { id, name, status } }: Manifest) => ({
  id,
  name,
  status,
  ...counts,
  missingFiles: missingFiles.length
})

export const exportCommand = Command.make(
  "export",
  { organisationId, to, json },
  Effect.fnUntraced(function* ({ json, organisationId, to }) {
    const { exportOrganisation } = yield* Effect.promise(() => import("../archive/OrganisationExport.ts"))
    const onProgress = (resource: string, count: number) => showProgress(`Exported ${count} ${resource}`)
    const manifest = yield* exportOrganisation(organisationId, resolve(to), { onProgress }).pipe(
      Effect.ensuring(endProgress)
    )
    yield* printOne(json, `Organisation exported to ${to}.`, documentOf(manifest))
  }, withArchive)
).pipe(
  Command.withDescription("Write an organisation with its files to one archive, without keys, passwords and secrets")
)

export const importCommand = Command.make(
  "import",
  { file, withoutUsers, json },
  Effect.fnUntraced(function* ({ file, json, withoutUsers }) {
    const { importOrganisation } = yield* Effect.promise(() => import("../archive/OrganisationImport.ts"))
    const onProgress = (pass: "check" | "store", resource: string, count: number) =>
      showProgress(`${pass === "check" ? "Checked" : "Stored"} ${count} ${resource}`)
    const options = { withUsers: !withoutUsers, onProgress }
    const manifest = yield* importOrganisation(resolve(file), options).pipe(Effect.ensuring(endProgress))
    const document = { ...documentOf(manifest), ...(withoutUsers ? { users: 0 } : {}) }
    yield* printOne(json, "Organisation imported.", document)
  }, withArchive)
).pipe(
  Command.withDescription("Read an archive of another installation, with its ids; nothing is stored unless it is whole")
)
