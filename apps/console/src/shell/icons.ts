/**
 * The icons in use. Each comes from a module of its own: the package's index
 * would have thousands read for every build.
 */
export { default as IconAlertTriangle } from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs"
export { default as IconCheck } from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs"
export { default as IconChevronDown } from "@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs"
export { default as IconCloudOff } from "@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs"
export { default as IconCopy } from "@tabler/icons-react/dist/esm/icons/IconCopy.mjs"
export { default as IconDeviceDesktop } from "@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs"
export { default as IconKey } from "@tabler/icons-react/dist/esm/icons/IconKey.mjs"
export { default as IconLogout } from "@tabler/icons-react/dist/esm/icons/IconLogout.mjs"
export { default as IconMoon } from "@tabler/icons-react/dist/esm/icons/IconMoon.mjs"
export { default as IconPlus } from "@tabler/icons-react/dist/esm/icons/IconPlus.mjs"
export { default as IconRefresh } from "@tabler/icons-react/dist/esm/icons/IconRefresh.mjs"
export { default as IconSolarPanel } from "@tabler/icons-react/dist/esm/icons/IconSolarPanel.mjs"
export { default as IconStack2 } from "@tabler/icons-react/dist/esm/icons/IconStack2.mjs"
export { default as IconSun } from "@tabler/icons-react/dist/esm/icons/IconSun.mjs"
export { default as IconTrash } from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs"
export { default as IconUser } from "@tabler/icons-react/dist/esm/icons/IconUser.mjs"
