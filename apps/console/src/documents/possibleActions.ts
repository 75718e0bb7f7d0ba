/**
 * Actions that the state of a document allows. The server checks them again.
 */
import type { Document } from "@solar-sites/http-node/client"

export const possibleActions = ({ status }: Document) => ({
  download: status === "uploaded" || status === "approved" || status === "completed",
  approve: status === "uploaded",
  reject: status === "uploaded",
  complete: status === "approved",
  lookAgain: status === "pending",
  resend: status === "pending" || status === "failed"
})
