/**
 * The menu of a user: the actions that the role of the acting user allows.
 */
import { Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import type { Person } from "../api/people.ts"
import { refreshSession } from "../api/queries.ts"
import { RowMenu } from "../lists/RowMenu.tsx"
import { PortfolioPicker } from "../portfolios/PortfolioPicker.tsx"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { useSession } from "../shell/session.ts"
import { peopleTexts as texts } from "../texts/en/people.ts"
import { changeOfAccess, type UserAccess } from "./changeOfAccess.ts"
import { refreshPeople } from "./peopleQueries.ts"
import { RoleChoice } from "./RoleChoice.tsx"

interface Props {
  readonly person: Person
  readonly isOwn: boolean
}

interface DialogProps extends Props {
  readonly onClose: () => void
}

const AccessDialog = ({ isOwn, onClose, person }: DialogProps) => {
  const { user } = useSession()
  const [access, setAccess] = useState<UserAccess>(person)
  const { portfolioIds, role } = access
  const payload = changeOfAccess(person, access, user.portfolioIds)
  const change = async () => {
    await ask("PUT /console/users/:id", { params: { id: person.id }, payload })
    await Promise.all([refreshPeople(), isOwn ? refreshSession() : undefined])
    notifications.show({ message: texts.accessDialog.done(person.name) })
  }
  return (
    <ConfirmDialog
      title={texts.accessDialog.title(person.name)}
      action={texts.accessDialog.submit}
      color="petrol"
      disabled={Object.keys(payload).length === 0 || payload.portfolioIds?.length === 0}
      onClose={onClose}
      onConfirm={change}
    >
      <RoleChoice value={role} onChange={(role) => setAccess({ ...access, role })} />
      {/* Owners are never limited, and users do not change their own limit here. */}
      {!isOwn && role !== "owner" && (
        <PortfolioPicker value={portfolioIds} onChange={(portfolioIds) => setAccess({ ...access, portfolioIds })} />
      )}
      {isOwn && <Text size="sm">{texts.accessDialog.own}</Text>}
    </ConfirmDialog>
  )
}

const confirmations = {
  sessions: { texts: texts.sessionsDialog, line: "DELETE /console/users/:id/sessions" },
  factor: { texts: texts.factorDialog, line: "DELETE /console/users/:id/second-factor" },
  remove: { texts: texts.removeDialog, line: "DELETE /console/users/:id" }
} as const

interface ConfirmationProps extends DialogProps {
  readonly kind: keyof typeof confirmations
}

const Confirmation = ({ kind, onClose, person: { id, name } }: ConfirmationProps) => {
  const { line, texts } = confirmations[kind]
  const confirm = async () => {
    await ask(line, { params: { id } })
    await refreshPeople()
    notifications.show({ message: texts.done(name) })
  }
  return (
    <ConfirmDialog title={texts.title(name)} action={texts.submit} onClose={onClose} onConfirm={confirm}>
      <Text size="sm">{texts.explanation}</Text>
    </ConfirmDialog>
  )
}

/** The own sessions and factor are changed under "My account". */
export const PersonActions = (props: Props) => {
  const { isOwn, person } = props
  const confirmation = (kind: keyof typeof confirmations) => (close: () => void) => (
    <Confirmation {...props} kind={kind} onClose={close} />
  )
  return (
    <RowMenu
      label={texts.actions(person.name)}
      actions={[
        { label: texts.changeAccess, dialog: (close) => <AccessDialog {...props} onClose={close} /> },
        { label: texts.endSessions, isOffered: !isOwn, dialog: confirmation("sessions") },
        { label: texts.resetFactor, isOffered: !isOwn && person.secondFactor, dialog: confirmation("factor") },
        { label: texts.remove, isOffered: !isOwn, isDangerous: true, dialog: confirmation("remove") }
      ]}
    />
  )
}
