/** The server speaks English, so its own sentences are shown. */
import type { SaidByServer } from "../Said.ts"

export const serverTexts: SaidByServer = { problems: {}, faults: {} }
