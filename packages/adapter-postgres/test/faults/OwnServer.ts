/**
 * What can be done to a Postgres server of one's own, beyond stopping it.
 */
import { execFile } from "node:child_process"
import { chmod, chown, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { OwnServer } from "../EmbeddedPostgres.ts"

const run = promisify(execFile)

/** The processes of the server: the one that listens, and those it has started. */
export const processesOf = async ({ folder }: Pick<OwnServer, "folder">): Promise<ReadonlyArray<number>> => {
  const [first = ""] = (await readFile(join(folder, "data", "postmaster.pid"), "utf8")).split("\n")
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="])
  const all = stdout.split("\n").map((line) => line.trim().split(/\s+/))
  return [first, ...all.flatMap(([pid = "", parent]) => (parent === first ? [pid] : []))].map(Number)
}

/** Lets none of its processes do anything. Answers what wakes them up. */
export const freeze = async (server: OwnServer): Promise<() => void> => {
  const frozen = await processesOf(server)
  for (const pid of frozen) process.kill(pid, "SIGSTOP")
  return () => {
    for (const pid of frozen) process.kill(pid, "SIGCONT")
  }
}

/** Puts a certificate for `localhost`, signed by itself, to where the server looks for one. Answers it. */
export const certify = async ({ folder }: OwnServer): Promise<string> => {
  const data = join(folder, "data")
  const [key, certificate] = [join(data, "server.key"), join(data, "server.crt")]
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
  const files = ["-keyout", key, "-out", certificate]
  await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files])
  await chmod(key, 0o600)
  const { gid, uid } = await stat(data)
  for (const file of [key, certificate]) await chown(file, uid, gid)
  return readFile(certificate, "utf8")
}
