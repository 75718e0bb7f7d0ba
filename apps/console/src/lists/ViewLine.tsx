/**
 * One of the saved views: it opens, and its link is copied.
 */
import { ActionIcon, CopyButton, Group } from "@mantine/core"
import { useLocation } from "react-router"
import { IconCheck, IconCopy, IconTrash, IconUserPlus } from "../shell/icons.ts"
import { SmallLink } from "../shell/SmallLink.tsx"
import { listTexts as texts } from "../texts/en/lists.ts"
import type { SavedView } from "./sharedViews.ts"

interface Props {
  readonly view: SavedView
  readonly onOpen: () => void
  /** Without them the user may not. */
  readonly onShare?: (() => void) | undefined
  readonly onDelete?: (() => void) | undefined
}

export const ViewLine = ({ onDelete, onOpen, onShare, view: { name, query } }: Props) => {
  const { pathname } = useLocation()
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <SmallLink to={{ pathname, search: query }} style={{ overflowWrap: "anywhere" }} onClick={onOpen}>
        {name}
      </SmallLink>
      <Group gap={0} wrap="nowrap">
        <CopyButton value={`${location.origin}${pathname}?${query}`}>
          {({ copied, copy }) => (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={(copied ? texts.viewCopied : texts.copyView)(name)}
              onClick={copy}
            >
              {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            </ActionIcon>
          )}
        </CopyButton>
        {onShare && (
          <ActionIcon
            variant="subtle"
            color="gray"
            title={texts.shareView(name)}
            aria-label={texts.shareView(name)}
            onClick={onShare}
          >
            <IconUserPlus size={16} aria-hidden />
          </ActionIcon>
        )}
        {onDelete && (
          <ActionIcon variant="subtle" color="gray" aria-label={texts.deleteView(name)} onClick={onDelete}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    </Group>
  )
}
