/**
 * Switches keyboard shortcuts of one character off, for speech input and for keys that are hit by
 * accident.
 */
import { Switch } from "@mantine/core"
import { useState } from "react"
import { hasShortcuts, switchShortcuts } from "../shell/isPageKey.ts"
import { Section } from "../shell/Section.tsx"
import { accountTexts as texts } from "../texts/en/account.ts"

export const KeysSection = () => {
  const [on, setOn] = useState(hasShortcuts)
  return (
    <Section title={texts.keys}>
      <Switch
        label={texts.keysOn}
        description={texts.keysHint}
        checked={on}
        onChange={(event) => {
          switchShortcuts(event.currentTarget.checked)
          setOn(hasShortcuts)
        }}
      />
    </Section>
  )
}
