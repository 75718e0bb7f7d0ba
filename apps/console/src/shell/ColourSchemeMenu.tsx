/**
 * Chooses light, dark, or the scheme of the system.
 */
import { ActionIcon, Group, useMantineColorScheme } from "@mantine/core"
import { shellTexts } from "../texts/en/shell.ts"
import { IconDeviceDesktop, IconMoon, IconSun } from "./icons.ts"
import { LazyMenu } from "./LazyMenu.tsx"

const schemes = [
  { scheme: "auto", Icon: IconDeviceDesktop },
  { scheme: "light", Icon: IconSun },
  { scheme: "dark", Icon: IconMoon }
] as const

export const ColourSchemeMenu = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { Icon: Current } = schemes.find(({ scheme }) => scheme === colorScheme) ?? schemes[0]
  const choose = (value: string) => {
    const chosen = schemes.find(({ scheme }) => scheme === value)
    if (chosen !== undefined) setColorScheme(chosen.scheme)
  }
  return (
    <LazyMenu
      target={
        <ActionIcon variant="default" size="lg" aria-label={shellTexts.colourScheme}>
          <Current size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
      }
      items={({ RadioGroup, RadioItem }) => (
        <RadioGroup value={colorScheme} onChange={choose}>
          {schemes.map(({ Icon, scheme }) => (
            <RadioItem key={scheme} value={scheme}>
              <Group gap="xs">
                <Icon size={16} stroke={1.5} aria-hidden />
                {shellTexts.colourSchemes[scheme]}
              </Group>
            </RadioItem>
          ))}
        </RadioGroup>
      )}
    />
  )
}
