/**
 * Actions that the state of a document and the role of the user allow. The server checks them
 * again.
 */
import type { Document } from "@solar-sites/http-node/client"

interface Allowed {
  readonly canWrite: boolean
  readonly canApprove: boolean
}

export const possibleActions = ({ status }: Document, { canApprove, canWrite }: Allowed) => ({
  download: status === "uploaded" || status === "approved" || status === "completed",
  approve: canApprove && status === "uploaded",
  reject: canApprove && status === "uploaded",
  complete: canApprove && status === "approved",
  lookAgain: canWrite && status === "pending",
  resend: canWrite && (status === "pending" || status === "failed"),
  delete: canWrite
})
