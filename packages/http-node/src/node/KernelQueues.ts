/**
 * How many bytes of each TCP connection the kernel still holds for its reader.
 * Node shows progress only when the kernel takes more, which can be megabytes
 * later; a slow reader would look like one that has stopped.
 */
import { readFile } from "node:fs/promises"
import type { Socket } from "node:net"

/** The queue of a connection in a form that only compares; `undefined` where the kernel does not tell. */
export type KernelQueues = (socket: Socket) => string | undefined

const files = ["/proc/net/tcp", "/proc/net/tcp6"]

const line = /^\s*\d+: \w+:(\w{4}) \w+:(\w{4}) \w\w (\w{8}):/gm

const inHex = (port: number | undefined): string => (port ?? 0).toString(16).toUpperCase().padStart(4, "0")

/** Reads the queues of all connections. Connections with the same two ports are told as one. */
export const readKernelQueues = async (): Promise<KernelQueues> => {
  const queues = new Map<string, string>()
  for (const file of files) {
    const text = await readFile(file, "latin1").catch(() => "")
    for (const [, local, remote, sending = ""] of text.matchAll(line)) {
      const ports = `${local}:${remote}`
      queues.set(ports, (queues.get(ports) ?? "") + sending)
    }
  }
  return ({ localPort, remotePort }) => queues.get(`${inHex(localPort)}:${inHex(remotePort)}`)
}
