/** Writes the files into the folder that is given, `imports` by default. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { files } from "./files.ts"

const [, , folder = "imports"] = process.argv
await mkdir(folder, { recursive: true })
for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
console.log(`Wrote ${Object.keys(files).join(", ")} to ${folder}`)
