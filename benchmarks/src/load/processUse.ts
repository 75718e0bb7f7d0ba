/**
 * Processor time and memory of processes, from /proc.
 */
import { readdir, readFile } from "node:fs/promises"

export interface ProcessUse {
  readonly processorMicros: number
  readonly residentMegabytes: number
}

const microsPerTick = 10_000
const pageBytes = 4_096

/** Numbers of `/proc/PID/stat` from the fourth on: parent, … Null without /proc or process. */
const statOf = async (pid: number | string): Promise<ReadonlyArray<number> | null> => {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8")
    // The name of the program, in brackets, may contain spaces; the state follows it.
    return text
      .slice(text.lastIndexOf(")") + 4)
      .split(" ")
      .map(Number)
  } catch {
    return null
  }
}

/** Null without /proc. */
export const processUse = async (pid: number): Promise<ProcessUse | null> => {
  const stat = await statOf(pid)
  const [user, system, pages] = [stat?.[10], stat?.[11], stat?.[20]]
  if (user === undefined || system === undefined || pages === undefined) return null
  return {
    processorMicros: (user + system) * microsPerTick,
    residentMegabytes: (pages * pageBytes) / 1_048_576
  }
}

/** Microseconds of a process and its children, ended ones included; NaN without /proc. */
export const familyMicros = async (pid: number): Promise<number> => {
  const parent = await statOf(pid)
  if (parent === null) return Number.NaN
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const children = (await Promise.all(pids.map(statOf))).filter((stat) => stat?.[0] === pid)
  const ticks = [parent.slice(10, 14), ...children.map((stat) => stat?.slice(10, 12) ?? [])].flat()
  return ticks.reduce((sum, count) => sum + count, 0) * microsPerTick
}

/** Parent of a process. */
export const parentOf = async (pid: number): Promise<number> => (await statOf(pid))?.[0] ?? Number.NaN
