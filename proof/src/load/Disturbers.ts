/**
 * Clients that hold on to a server: each opens many connections, and keeps them until it is closed.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

export interface Target {
  readonly port: number
  readonly key: string
}

export interface Disturber {
  readonly name: string
  readonly connections: number
  /** Called once per connection, and then once a second; `turn` counts from 0. */
  readonly act: (socket: Socket, target: Target, turn: number) => void
}

const head = (line: string, { key }: Target, more = "") => `${line} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n${more}`

export const disturbers: ReadonlyArray<Disturber> = [
  {
    name: "slow headers",
    connections: 500,
    act: (socket, target, turn) => {
      socket.write(turn === 0 ? head("GET /api/sites", target) : `x-slow-${turn}: x\r\n`)
    }
  },
  {
    name: "slow bodies",
    connections: 500,
    act: (socket, target, turn) => {
      const more = "content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"
      socket.write(turn === 0 ? head("POST /api/sites", target, more) : " ")
    }
  },
  {
    name: "slow readers",
    connections: 200,
    act: (socket, target, turn) => {
      if (turn === 0) socket.pause().write(head("GET /api/sites?limit=1000", target, "\r\n"))
    }
  },
  {
    name: "idle connections",
    connections: 10_000,
    act: (socket, target, turn) => {
      if (turn === 0) socket.resume().write(head("GET /health/live", target, "\r\n"))
    }
  },
  // All reach the time limit of headers at once.
  { name: "silent connections", connections: 10_000, act: (socket) => void socket.resume() }
]

// Below the backlog of a listening socket.
const openedAtOnce = 100

/** Opens its connections once, though the server may close some, and acts once a second until closed. */
export const disturb = async ({ act, connections }: Disturber, target: Target) => {
  const turns = new Map<Socket, number>()
  let isOver = false
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(target.port, "127.0.0.1")
        .on("error", () => {})
        .once("close", () => {
          turns.delete(socket)
          resolve()
        })
        .once("connect", () => {
          turns.set(socket, 0)
          resolve()
        })
    })
  const work = async () => {
    while (!isOver) {
      for (const [socket, turn] of turns) {
        if (socket.writable) act(socket, target, turn)
        turns.set(socket, turn + 1)
      }
      await sleep(1_000)
    }
  }
  const opened = Math.ceil(connections / openedAtOnce)
  for (let count = 0; count < opened; count += 1) {
    await Promise.all(Array.from({ length: Math.min(openedAtOnce, connections) }, open))
  }
  const working = work()
  return {
    open: () => turns.size,
    close: async () => {
      isOver = true
      await working
      const closed = [...turns.keys()].map((socket) => once(socket.destroy(), "close"))
      await Promise.all(closed)
    }
  }
}
