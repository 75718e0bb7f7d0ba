/**
 * The keyboard shortcuts of the open page and of every page.
 */
import { Group, Kbd, Modal, Stack, Text, Title } from "@mantine/core"
import { Fragment } from "react"
import { useLocation } from "react-router"
import { mainPages } from "../shell/Navigation.tsx"
import { useCan } from "../shell/session.ts"
import { useFocusReturn } from "../shell/useFocusReturn.ts"
import { searchTexts as texts } from "../texts/en/search.ts"
import classes from "./Search.module.css"
import { searchKeys } from "./useShortcuts.ts"

interface Shortcut {
  readonly keys: ReadonlyArray<string>
  readonly label: string
  /** True for keys that are pressed one after the other. */
  readonly isSequence?: boolean
}

const everywhere: ReadonlyArray<Shortcut> = [
  { keys: searchKeys, label: texts.searchKey },
  { keys: ["/"], label: texts.listKey },
  ...mainPages.flatMap(({ key, label }) =>
    key === undefined ? [] : [{ keys: ["G", key.toUpperCase()], label: texts.goTo(label), isSequence: true }]
  ),
  { keys: ["?"], label: texts.helpKey }
]

const moving: ReadonlyArray<Shortcut> = [
  { keys: ["J"], label: texts.next },
  { keys: ["K"], label: texts.previous },
  { keys: [texts.enterKey], label: texts.open }
]

const deciding: ReadonlyArray<Shortcut> = [
  { keys: ["A"], label: texts.approve },
  { keys: ["R"], label: texts.reject },
  { keys: ["X"], label: texts.select },
  { keys: ["Z"], label: texts.undo }
]

const Keys = ({ shortcuts, title }: { readonly title: string; readonly shortcuts: ReadonlyArray<Shortcut> }) => (
  <section>
    <Title order={3} size="h5" mb={4}>
      {title}
    </Title>
    <dl className={classes.keys}>
      {shortcuts.map(({ isSequence = false, keys, label }) => (
        <Group key={label} justify="space-between" wrap="nowrap" gap="sm" className={classes.key}>
          <Text component="dt" size="sm">
            {label}
          </Text>
          <Text component="dd" size="sm" c="dimmed" className={classes.combination}>
            {keys.map((key, index) => (
              <Fragment key={key}>
                {index > 0 && (isSequence ? ` ${texts.followedBy} ` : " + ")}
                <Kbd>{key}</Kbd>
              </Fragment>
            ))}
          </Text>
        </Group>
      ))}
    </dl>
  </section>
)

export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => {
  useFocusReturn()
  const { pathname } = useLocation()
  const canDecide = useCan("documents:approve")
  return (
    <Modal opened onClose={onClose} title={texts.keysTitle}>
      <Stack gap="md">
        {/^\/documents(\/|$)/.test(pathname) && (
          <Keys title={texts.onDocuments} shortcuts={canDecide ? [...moving, ...deciding] : moving} />
        )}
        <Keys title={texts.everywhere} shortcuts={everywhere} />
      </Stack>
    </Modal>
  )
}
