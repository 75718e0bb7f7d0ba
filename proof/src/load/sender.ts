/**
 * The process that sends requests on persistent connections: as fast as they are answered, or at a
 * fixed rate.
 */
import { connect } from "node:net"

/** Without `perSecond` each connection sends its next request after the response. */
export interface Shot {
  readonly port: number
  readonly key: string
  readonly path: string
  readonly connections: number
  readonly seconds: number
  readonly perSecond?: number
}

/** Milliseconds from the scheduled instant of a request to its response. */
export interface Outcome {
  readonly good: ReadonlyArray<number>
  /** By 503. */
  readonly refused: ReadonlyArray<number>
  /** By 429. */
  readonly limited: number
  readonly other: number
}

const lengthOf = /content-length: (\d+)/i

/** A connection with one request at a time. */
const open = ({ key, path, port }: Shot, onAnswer: (status: number) => void) => {
  const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`
  let head = ""
  let missing = 0
  let status = 0
  let isAsked = false
  const socket = connect(port, "127.0.0.1")
    .setNoDelay()
    .on("error", () => {})
  socket.on("data", (chunk) => {
    // The server ends a connection without a request by 408.
    if (!isAsked) return
    let bytes = chunk.length
    if (missing === 0) {
      head += chunk.toString("latin1")
      const end = head.indexOf("\r\n\r\n")
      if (end < 0) return
      status = Number(head.slice(9, 12))
      missing = Number(lengthOf.exec(head)?.[1] ?? 0)
      bytes = head.length - end - 4
      head = ""
    }
    missing -= bytes
    if (missing > 0) return
    isAsked = false
    onAnswer(status)
  })
  return () => {
    isAsked = true
    socket.write(request)
  }
}

const shoot = async (shot: Shot): Promise<Outcome> => {
  const good: Array<number> = []
  const refused: Array<number> = []
  let limited = 0
  let other = 0
  const idle: Array<() => void> = []
  const due: Array<number> = []
  const end = performance.now() + shot.seconds * 1_000
  for (let index = 0; index < shot.connections; index += 1) {
    let askedAt = 0
    const send = open(shot, (status) => {
      const milliseconds = performance.now() - askedAt
      if (status === 200) good.push(milliseconds)
      else if (status === 503) refused.push(milliseconds)
      else if (status === 429) limited += 1
      else other += 1
      next()
    })
    const next = () => {
      const now = performance.now()
      const at = shot.perSecond === undefined ? now : due.shift()
      if (now >= end) return
      if (at === undefined) return void idle.push(next)
      askedAt = at
      send()
    }
    next()
  }
  if (shot.perSecond !== undefined) {
    const { perSecond } = shot
    const begin = performance.now()
    let count = 0
    const asking = setInterval(() => {
      const now = performance.now()
      for (; count < ((now - begin) / 1_000) * perSecond; count += 1) {
        due.push(begin + (count * 1_000) / perSecond)
        idle.pop()?.()
      }
      if (now >= end) clearInterval(asking)
    }, 1)
  }
  await new Promise((resolve) => setTimeout(resolve, shot.seconds * 1_000 + 2_000))
  return { good, refused, limited, other: other + due.length }
}

process.on("message", (shot: Shot) => {
  void shoot(shot).then((outcome) => process.send?.(outcome, () => process.exit()))
})
