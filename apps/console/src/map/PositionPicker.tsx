/**
 * Chooses the position of a site, by a click on the map or as its centre.
 */
import { Button, Group, Stack, Text } from "@mantine/core"
import { useMemo, useState } from "react"
import { siteFormTexts as texts } from "../texts/en/siteForm.ts"
import { type Fit, MapFrame } from "./MapFrame.tsx"
import { boundsOf, markOf, type Position } from "./Marks.ts"
import classes from "./SitesMap.module.css"

interface Props {
  /** The present position of the site. */
  readonly position: Position | null
  readonly onPick: (position: Position) => void
}

// About 0.1 m.
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

export const PositionPicker = ({ onPick, position }: Props) => {
  const [open, setOpen] = useState(false)
  const [middle, setMiddle] = useState<Position | null>(null)
  const pick = ({ latitude, longitude }: Position) =>
    onPick({ latitude: rounded(latitude), longitude: rounded(longitude) })
  const { latitude, longitude } = position ?? {}
  const marks = useMemo(
    () =>
      latitude === undefined || longitude === undefined
        ? []
        : [markOf({ latitude, longitude }, { id: "position", siteName: texts.position })],
    [latitude, longitude]
  )
  // A position that is chosen later does not move the map.
  const [first, setFirst] = useState<Fit>()
  const toggle = () => {
    setFirst({ bounds: boundsOf(marks) })
    setOpen(!open)
  }
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button size="xs" variant="default" aria-expanded={open} onClick={toggle}>
          {open ? texts.hidePicker : texts.pick}
        </Button>
        {open && (
          <Button size="xs" variant="default" disabled={middle === null} onClick={() => middle && pick(middle)}>
            {texts.takeMiddle}
          </Button>
        )}
      </Group>
      {open && (
        <>
          <Text size="xs" c="dimmed">
            {texts.pickHint}
          </Text>
          <MapFrame className={classes.small} marks={marks} fit={first} onPick={pick} onMove={setMiddle} />
        </>
      )}
    </Stack>
  )
}
