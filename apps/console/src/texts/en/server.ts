/** The server speaks English, so its own sentences are shown. */
import type { SaidByServer } from "../Said.ts"

export const serverTexts: SaidByServer = {
  problems: {},
  faults: {},
  reasons: { already_replaced: () => "another document has replaced its predecessor" }
}
