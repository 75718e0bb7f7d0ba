import { library } from "../../tsup.shared.ts"

// The thread that reads imported files is a module of its own.
export default library({ entry: { main: "src/main.mjs", TableThread: "src/import/TableThread.ts" } })
