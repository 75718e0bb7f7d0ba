/**
 * The type that the package gives to each of its icons, for the modules that
 * it gives none to.
 */
declare module "@tabler/icons-react/dist/esm/icons/*.mjs" {
  import type { Icon } from "@tabler/icons-react"

  const icon: Icon
  export default icon
}
