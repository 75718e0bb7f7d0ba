/**
 * Checks the project of the current folder with the TypeScript 5 of the documentation: its files and the declarations of the
 * packages, not those of other packages, which take half of the time of `tsc` without `skipLibCheck`. This file is JavaScript:
 * the compiler of this folder has types of another version.
 */
import { createRequire } from "node:module"
import { join } from "node:path"

const folder = process.cwd()
const ts = createRequire(new URL("../../docs/package.json", import.meta.url))("typescript")
const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile)
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
const program = ts.createProgram(fileNames, options)
const own = program.getSourceFiles().filter(({ fileName }) => !/\/node_modules\/(?!@solar-sites\/)/.test(fileName))
const faults = [
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...own.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
    ...(file.isDeclarationFile ? [] : program.getDeclarationDiagnostics(file))
  ])
]
const format = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => folder, getNewLine: () => "\n" }
console.error(ts.formatDiagnostics(faults, format))
console.log(`TypeScript ${ts.version}: ${own.filter(({ isDeclarationFile }) => isDeclarationFile).length} declarations`)
process.exitCode = faults.length === 0 ? 0 : 1
