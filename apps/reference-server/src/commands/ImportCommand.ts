/** `solar-sites import`: creates or updates the sites of a file. */
import { open as openFile, writeFile } from "node:fs/promises"
import { Caller, CurrentCaller, Organisations } from "@solar-sites/core"
import { Console, Effect, Option } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { Failure, messageOf } from "../Failure.ts"
import { type Mapping, targetNamed } from "../import/Columns.ts"
import { reportOf } from "../import/FaultReport.ts"
import { writeMarkedFile } from "../import/MarkedFile.ts"
import { suggestionFor } from "../import/MemberNames.ts"
import { type ImportResult, importSites } from "../import/SiteImport.ts"
import type { ImportFault } from "../import/Table.ts"
import { json, organisation, toggle } from "./Input.ts"
import { print } from "./Output.ts"
import { endProgress, showProgress } from "./Progress.ts"
import { withSites } from "./Services.ts"

const file = Argument.String("FILE").pipe(
  Argument.withDescription("A file of CSV or XLSX; its first row names members")
)

const upsert = toggle("upsert", "Change the sites that have the externalId of a row, instead of refusing the row")

const dryRun = toggle("dry-run", "Check everything and count, but change nothing")

const mappingOf = (text: string): Effect.Effect<Mapping, CliError.ValidationError> => {
  const at = text.lastIndexOf("=")
  const [column, name] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  const refuse = (message: string) => Effect.fail(new CliError.ValidationError({ message }))
  if (at < 0 || column === "" || name === "") return refuse(`--map must be COLUMN=MEMBER, not ${text}.`)
  if (name === "-") return Effect.succeed({ column, target: null })
  const target = targetNamed(name)
  if (target !== undefined) return Effect.succeed({ column, target })
  const suggestion = suggestionFor(name)
  return refuse(
    `--map ${text}: ${name} is no member of a site${suggestion === undefined ? "" : `; did you mean ${suggestion}`}.`
  )
}

const map = Flag.String("map").pipe(
  Flag.withMetavar("COLUMN=MEMBER"),
  Flag.withDescription("The member, attributes.NAME, or - for none, of a column; can be repeated"),
  Flag.atLeast(0),
  Flag.mapEffect((texts) => Effect.forEach(texts, mappingOf))
)

const report = Flag.String("report").pipe(
  Flag.withMetavar("FILE"),
  Flag.withDescription("Write the faults to this file, as CSV"),
  Flag.optional
)

const faultyFile = Flag.String("faulty-file").pipe(
  Flag.withMetavar("FILE"),
  Flag.withDescription("Write the file as CSV, with a column that names the faults of each row"),
  Flag.optional
)

const writeReport = (path: string, faults: ReadonlyArray<ImportFault>) =>
  Effect.tryPromise({
    try: () => writeFile(path, reportOf(faults)),
    catch: (cause) => new Failure({ message: `The report ${path} cannot be written: ${messageOf(cause)}.` })
  })

/** A file that cannot be read has no rows to write. */
const writeFaultyFile = (path: string, source: string, faults: ReadonlyArray<ImportFault>) => {
  const failed = (cause: unknown) =>
    new Failure({ message: `The file ${path} cannot be written: ${messageOf(cause)}.` })
  const open = Effect.tryPromise({ try: () => openFile(path, "w"), catch: failed })
  return Effect.acquireUseRelease(
    open,
    (handle) =>
      writeMarkedFile(source, faults, (text) =>
        Effect.tryPromise({ try: () => handle.appendFile(text), catch: failed })
      ),
    (handle) => Effect.promise(() => handle.close())
  ).pipe(Effect.mapError((error) => (error instanceof Failure ? error : failed(error))))
}

const shownFaults = 20

const faultText = ({ column, detail, row }: ImportFault) =>
  `Row ${row}${column === null ? "" : `, ${column}`}: ${detail}.`

const sentence = ({ created, dryRun, unchanged, updated }: ImportResult) =>
  `${dryRun ? "Nothing was stored. The import would give" : "Imported"}: ${created} created, ${updated} updated, ${unchanged} unchanged.`

const sites = Command.make(
  "sites",
  { file, organisation, upsert, dryRun, map, report, faultyFile, json },
  Effect.fnUntraced(function* ({ dryRun, faultyFile, file, json, map, organisation, report, upsert }) {
    const { id: organisationId } = yield* Organisations.use(({ get }) => get(organisation))
    const caller = new Caller({ organisationId, userId: null, apiKeyId: null })
    const onProgress = (pass: string, row: number) =>
      Effect.sync(() => showProgress(`${pass === "check" ? "Checked" : "Stored"} ${row} rows`))
    const options = { mappings: map, upsert, dryRun, onProgress }
    const result = yield* importSites(file, options).pipe(
      Effect.catchTag("ReadingEnded", ({ code, detail }) => {
        const faults = [{ row: 1, column: null, code, detail }]
        return Effect.succeed({ created: 0, updated: 0, unchanged: 0, faults, faultCount: 1, dryRun })
      }),
      Effect.provideService(CurrentCaller, caller),
      Effect.ensuring(endProgress)
    )
    const { faultCount, ...document } = result
    const { faults } = document
    if (Option.isSome(report)) yield* writeReport(report.value, faults)
    if (Option.isSome(faultyFile) && faultCount > 0) yield* writeFaultyFile(faultyFile.value, file, faults)
    if (faultCount === 0) return yield* print(json, document, sentence(result))
    if (json) yield* Console.log(JSON.stringify(document))
    else yield* Console.error(faults.slice(0, shownFaults).map(faultText).join("\n"))
    const more = faultCount > shownFaults ? ` The first ${shownFaults} are shown; --report writes the first 1000.` : ""
    return yield* new Failure({
      message: `Nothing was stored: the file has ${faultCount === 1 ? "a fault" : `${faultCount} faults`}.${json ? "" : more}`
    })
  }, withSites)
).pipe(Command.withDescription("Import sites from CSV or XLSX; nothing is stored unless every row is valid"))

export const imports = Command.make("import").pipe(
  Command.withDescription("Import resources from a file"),
  Command.withSubcommands([sites])
)
