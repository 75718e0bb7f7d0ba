/**
 * Actions that the state of a document and the role of the user allow. The server checks them
 * again.
 */
import { hasFile } from "@solar-sites/core/model"
import type { Document } from "@solar-sites/http-node/client"
import { useCan } from "../shell/session.ts"

interface Allowed {
  readonly canWrite: boolean
  readonly canApprove: boolean
}

const possibleActions = (document: Document, { canApprove, canWrite }: Allowed) => {
  const { replacedBy, status, type } = document
  return {
    download: hasFile(document),
    approve: canApprove && status === "uploaded",
    reject: canApprove && status === "uploaded",
    complete: canApprove && status === "approved",
    lookAgain: canWrite && status === "pending",
    resend: canWrite && (status === "pending" || status === "failed"),
    // Reports come from host code only.
    revise: canWrite && hasFile(document) && replacedBy === null && type !== "report",
    edit: canWrite,
    delete: canWrite
  }
}

export const usePossibleActions = (document: Document) => {
  const canWrite = useCan("documents:write")
  const canApprove = useCan("documents:approve")
  return possibleActions(document, { canWrite, canApprove })
}
