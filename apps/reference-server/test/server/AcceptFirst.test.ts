import { EventEmitter } from "node:events"
import { Socket } from "node:net"
import { setImmediate as turn } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { acceptFirst } from "../../src/server/Connections.ts"
import { openListener, send } from "./Listening.ts"

const start = () => {
  const server = new EventEmitter()
  const after = acceptFirst(server)
  const begun: Array<string> = []
  return {
    begun,
    connect: () => server.emit("connection"),
    request: (name: string, socket = new Socket()) => after({ socket }, () => begun.push(name))
  }
}

describe("requests and new connections", () => {
  it("begin at once while no connection is accepted", () => {
    const { begun, request } = start()
    request("first")
    expect(begun).toEqual(["first"])
  })

  it("begin in order after the first turn that accepts no connection", async () => {
    const { begun, connect, request } = start()
    for (let count = 0; count < 10; count += 1) {
      connect()
      request(`${count}`)
      await turn()
      expect(begun).toEqual([])
    }
    await turn()
    expect(begun).toEqual(Array.from({ length: 10 }, (_, count) => `${count}`))
    request("at once")
    expect(begun.at(-1)).toBe("at once")
  })

  it("begin after 64 connections, however many follow", async () => {
    const { begun, connect, request } = start()
    for (let count = 0; count < 64; count += 1) {
      connect()
      request("waits")
      await turn()
    }
    expect(begun).toHaveLength(64)
  })

  it("do not begin when their connection has closed meanwhile", async () => {
    const { begun, connect, request } = start()
    connect()
    request("closed", new Socket().destroy())
    request("open")
    await turn()
    await turn()
    expect(begun).toEqual(["open"])
  })

  it("are all answered in a burst of connections", async () => {
    const port = await openListener({})
    const clients = Array.from({ length: 200 }, () =>
      send(port, "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    )
    const answers = await Promise.all(clients.map(({ ended }) => ended))
    expect(answers.every((answer) => answer.endsWith("hello"))).toBe(true)
  })
})
