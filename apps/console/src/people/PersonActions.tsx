/**
 * The menu of a user: the actions that the role of the acting user allows.
 */
import { ActionIcon, Menu, Text } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { ask } from "../api/ask.ts"
import type { Person } from "../api/people.ts"
import { refreshSession } from "../api/queries.ts"
import { ConfirmDialog } from "../shell/ConfirmDialog.tsx"
import { IconDots } from "../shell/icons.ts"
import { peopleTexts as texts } from "../texts/en/people.ts"
import { refreshPeople } from "./peopleQueries.ts"
import { RoleChoice } from "./RoleChoice.tsx"

interface Props {
  readonly person: Person
  readonly isOwn: boolean
}

interface DialogProps extends Props {
  readonly onClose: () => void
}

const RoleDialog = ({ isOwn, onClose, person }: DialogProps) => {
  const [role, setRole] = useState(person.role)
  const change = async () => {
    await ask("PUT /console/users/:id", { params: { id: person.id }, payload: { role } })
    await Promise.all([refreshPeople(), isOwn ? refreshSession() : undefined])
    notifications.show({ message: texts.roleDialog.done(person.name, role) })
  }
  return (
    <ConfirmDialog
      title={texts.roleDialog.title(person.name)}
      action={texts.roleDialog.submit}
      color="petrol"
      disabled={role === person.role}
      onClose={onClose}
      onConfirm={change}
    >
      <RoleChoice value={role} onChange={setRole} />
      {isOwn && <Text size="sm">{texts.roleDialog.own}</Text>}
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
  const [dialog, setDialog] = useState<"role" | keyof typeof confirmations>()
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.actions(person.name)}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog("role")}>{texts.changeRole}</Menu.Item>
          {!isOwn && <Menu.Item onClick={() => setDialog("sessions")}>{texts.endSessions}</Menu.Item>}
          {!isOwn && person.secondFactor && (
            <Menu.Item onClick={() => setDialog("factor")}>{texts.resetFactor}</Menu.Item>
          )}
          {!isOwn && (
            <Menu.Item color="var(--mantine-color-error)" onClick={() => setDialog("remove")}>
              {texts.remove}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === "role" && <RoleDialog {...props} onClose={close} />}
      {dialog !== undefined && dialog !== "role" && <Confirmation {...props} kind={dialog} onClose={close} />}
    </>
  )
}
