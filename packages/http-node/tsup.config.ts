import { leavingOut, library } from "../../tsup.shared.ts"

// The handler of node:http goes into the build: as a dependency its package brings 15 MB of a Redis client along. Of that
// package nothing else is used, WebSockets least of all.
export default library({
  noExternal: [/^@effect\/platform-node/],
  esbuildPlugins: [leavingOut("ws", ["WebSocket", "WebSocketServer"])]
})
