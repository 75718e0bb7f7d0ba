/**
 * The menu of a document: the actions that its state allows. The menu is made when it is first
 * opened, since lists have many.
 */
import { ActionIcon, type ActionIconProps, Menu, Text } from "@mantine/core"
import type { Document } from "@solar-sites/http-node/client"
import { type ComponentProps, useState } from "react"
import { Link } from "react-router"
import { IconDots } from "../shell/icons.ts"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { decisionOn } from "./DelayedDecisions.ts"
import { useDecisions } from "./decisions.tsx"
import { revisePath } from "./documentPaths.ts"
import { usePossibleActions } from "./possibleActions.ts"
import { useDocumentActions } from "./useDocumentActions.tsx"

interface Props {
  readonly document: Document
  /** Called after an approval or a rejection, which can be undone. */
  readonly onDecided?: ((document: Document) => void) | undefined
}

const Dots = ({ document, ...props }: Pick<Props, "document"> & ActionIconProps & ComponentProps<"button">) => (
  <ActionIcon variant="subtle" color="gray" aria-label={texts.actions(document.filename)} {...props}>
    <IconDots size={16} aria-hidden />
  </ActionIcon>
)

const OpenedMenu = ({ document, onDecided }: Props) => {
  // An action runs until its lists are read again, which the state in the row does not wait for.
  const { busy, can, dialogs, ...actions } = useDocumentActions(document, { onDecided })
  return (
    <>
      <Menu position="bottom-end" defaultOpened>
        <Menu.Target>
          <Dots document={document} />
        </Menu.Target>
        <Menu.Dropdown>
          {can.download && (
            <Menu.Item disabled={busy} onClick={actions.download}>
              {texts.download}
            </Menu.Item>
          )}
          {can.approve && (
            <Menu.Item disabled={busy} onClick={actions.approve}>
              {texts.approve}
            </Menu.Item>
          )}
          {can.complete && (
            <Menu.Item disabled={busy} maw={280} onClick={actions.complete}>
              {texts.complete}
              <Text size="xs" c="dimmed">
                {texts.completeHint}
              </Text>
            </Menu.Item>
          )}
          {can.lookAgain && (
            <Menu.Item disabled={busy} onClick={actions.lookAgain}>
              {texts.lookAgain}
            </Menu.Item>
          )}
          {can.resend && <Menu.Item onClick={actions.resend}>{texts.sendAgain}</Menu.Item>}
          {can.reject && <Menu.Item onClick={actions.reject}>{texts.reject}</Menu.Item>}
          {can.edit && <Menu.Item onClick={actions.edit}>{texts.edit}</Menu.Item>}
          {can.revise && (
            <Menu.Item component={Link} to={revisePath(document)}>
              {texts.revise}
            </Menu.Item>
          )}
          {can.delete && (
            <Menu.Item color="var(--mantine-color-error)" onClick={actions.remove}>
              {texts.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialogs}
    </>
  )
}

export const DocumentActions = ({ document, onDecided }: Props) => {
  const [isMade, setMade] = useState(false)
  const can = usePossibleActions(document)
  const isDecided = decisionOn(useDecisions(), document) !== undefined
  if (isDecided || !Object.values(can).includes(true)) return null
  return isMade ? (
    <OpenedMenu document={document} onDecided={onDecided} />
  ) : (
    <Dots document={document} aria-haspopup="menu" onClick={() => setMade(true)} />
  )
}
