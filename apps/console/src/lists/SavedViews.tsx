/**
 * The button of the saved views. Their code is loaded when they are first opened.
 */
import { Button } from "@mantine/core"
import { cloneElement, useState } from "react"
import { IconBookmark } from "../shell/icons.ts"
import { lazily } from "../shell/lazily.tsx"
import { listTexts as texts } from "../texts/en/lists.ts"
import type { SavedViewsProps } from "./SavedViewsPopover.tsx"

const SavedViewsPopover = lazily<SavedViewsProps>(
  async () => (await import("./SavedViewsPopover.tsx")).SavedViewsPopover,
  ({ target }) => target
)

export const SavedViews = (props: Omit<SavedViewsProps, "target">) => {
  const [isMade, setMade] = useState(false)
  const target = (
    <Button size="xs" variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
      {texts.views}
    </Button>
  )
  if (isMade) return <SavedViewsPopover {...props} target={target} />
  return cloneElement(target, { onClick: () => setMade(true) })
}
