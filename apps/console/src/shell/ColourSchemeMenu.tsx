/**
 * Light, dark, or whatever the system is set to.
 */
import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core"
import { shellTexts } from "../texts/shell.ts"
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "./icons.ts"

const schemes = [
  { scheme: "auto", Icon: IconDeviceDesktop },
  { scheme: "light", Icon: IconSun },
  { scheme: "dark", Icon: IconMoon }
] as const

export const ColourSchemeMenu = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { Icon: Current } = schemes.find(({ scheme }) => scheme === colorScheme) ?? schemes[0]
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={shellTexts.colourScheme}>
          <Current size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ Icon, scheme }) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
            rightSection={scheme === colorScheme && <IconCheck size={16} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
          >
            {shellTexts.colourSchemes[scheme]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
