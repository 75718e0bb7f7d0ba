/**
 * Secret that signs addresses. By default it is a file in the folder, created at
 * the first start and readable by the user of the process only.
 */
import { chmod, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { unlessAbsent } from "./FileFailure.ts"
import { createIncoming, discardIncoming, type Folder, fileMode, linkUnlessTaken } from "./Folder.ts"

const secretBytes = 32

const readSecret = async (path: string): Promise<Buffer | null> => {
  let text: string
  try {
    // A restored backup may have lost the mode.
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, fileMode)
    text = await readFile(path, "utf8")
  } catch (error) {
    unlessAbsent(error)
    return null
  }
  const secret = Buffer.from(text.trim(), "base64url")
  if (secret.length !== secretBytes) throw new Error("The secret in the folder is damaged; delete it to get a new one.")
  return secret
}

const createSecret = async (folder: Folder, path: string, secret: Uint8Array): Promise<void> => {
  const incoming = await createIncoming(folder)
  try {
    await incoming.handle.writeFile(`${Buffer.from(secret).toString("base64url")}\n`)
    await incoming.handle.sync()
    // When two processes start at once, both use the secret of the first one.
    await linkUnlessTaken(incoming.path, path)
  } finally {
    await discardIncoming(incoming)
  }
}

/** Reads the secret in the folder; creates it if it is missing. */
export const secretIn = async (
  directory: string,
  folder: Folder,
  randomBytes: (length: number) => Uint8Array
): Promise<Buffer> => {
  const path = join(directory, "secret")
  const existing = await readSecret(path)
  if (existing !== null) return existing
  await createSecret(folder, path, randomBytes(secretBytes))
  const created = await readSecret(path)
  if (created === null) throw new Error("The secret in the folder disappeared while it was being created.")
  return created
}
