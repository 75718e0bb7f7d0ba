/**
 * Processor time and memory of a process, from /proc.
 */
import { readFile } from "node:fs/promises"

export interface ProcessUse {
  readonly processorMicros: number
  readonly residentMegabytes: number
}

const microsPerTick = 10_000
const pageBytes = 4_096

/** Null without /proc. */
export const processUse = async (pid: number): Promise<ProcessUse | null> => {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8")
    // The name of the program, in brackets, may contain spaces; the state follows it.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number)
    if (user === undefined || system === undefined || pages === undefined) return null
    return {
      processorMicros: (user + system) * microsPerTick,
      residentMegabytes: (pages * pageBytes) / 1_048_576
    }
  } catch {
    return null
  }
}
