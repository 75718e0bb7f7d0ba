import { library } from "../../tsup.shared.ts"

// The driver goes into the build: the one from the registry lacks the patch. No type of it is shown.
export default library({ noExternal: ["postgres"] })
