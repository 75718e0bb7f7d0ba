/**
 * The approvals of this tab, with a notice while they can be undone.
 */
import { notifications } from "@mantine/notifications"
import { useSyncExternalStore } from "react"
import { client, leavingClient } from "../api/client.ts"
import { messageOf } from "../api/failures.ts"
import { noticeSessionChange, onLeave, onLogout } from "../api/queries.ts"
import { documentListTexts as texts } from "../texts/en/documentList.ts"
import { ApprovalNotice } from "./ApprovalNotice.tsx"
import { type Approval, DelayedApprovals, type SendApproval } from "./DelayedApprovals.ts"
import { refreshDocuments } from "./documentQueries.ts"

const undoMillis = 10_000

const send: SendApproval = async ({ filename, id, siteId, version }, isLeaving) => {
  const { documents } = isLeaving ? leavingClient : client
  try {
    await documents.changeStatus(id, { status: "approved" }, { expectedVersion: version })
    return true
  } catch (error) {
    noticeSessionChange(error)
    notifications.show({ color: "red", title: texts.notApproved(filename), message: messageOf(error) })
    return false
  } finally {
    await refreshDocuments(siteId)
  }
}

export const approvals: DelayedApprovals = new DelayedApprovals(send, undoMillis)

// Also when the tab is discarded in the background, which phones do.
addEventListener("pagehide", () => void approvals.flush(true))
onLogout(() => approvals.flush())
onLeave(() => approvals.drop())

const noticeId = "approvals"

const waiting = (all: ReadonlyMap<string, Approval>) =>
  [...all.values()].flatMap(({ document, isSent }) => (isSent ? [] : [document]))

approvals.subscribe(() => {
  const names = waiting(approvals.all()).map(({ filename }) => filename)
  if (names.length === 0) {
    notifications.hide(noticeId)
    return
  }
  const message = <ApprovalNotice names={names} onUndo={() => approvals.undo()} />
  const notice = { id: noticeId, message, autoClose: false, withCloseButton: false }
  // `show` does nothing for a notice that is shown, `update` for one that is not.
  notifications.show(notice)
  notifications.update(notice)
})

export const useApprovals = (): ReadonlyMap<string, Approval> =>
  useSyncExternalStore(approvals.subscribe, approvals.all)
