/**
 * Chooses between sites as a table and on a map.
 */
import { Button } from "@mantine/core"
import { siteTexts as texts } from "../texts/en/sites.ts"

interface Props {
  readonly asMap: boolean
  readonly onChange: (asMap: boolean) => void
}

export const ViewButtons = ({ asMap, onChange }: Props) => (
  <Button.Group>
    {[false, true].map((map) => (
      <Button
        key={String(map)}
        size="xs"
        variant={asMap === map ? "light" : "default"}
        aria-pressed={asMap === map}
        aria-label={map ? texts.showMap : texts.showTable}
        onClick={() => onChange(map)}
      >
        {map ? texts.asMap : texts.asTable}
      </Button>
    ))}
  </Button.Group>
)
