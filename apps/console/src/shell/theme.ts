/**
 * Colours and component defaults, in light and dark.
 */
import { type CSSVariablesResolver, createTheme } from "@mantine/core"
import { shellTexts } from "../texts/en/shell.ts"

const closing = { defaultProps: { closeButtonProps: { "aria-label": shellTexts.close } } }

export const theme = createTheme({
  colors: {
    petrol: [
      "#e8f5f6",
      "#d3e8ea",
      "#a8d3d8",
      "#7cbec5",
      "#57a9b2",
      "#3a949e",
      "#26808b",
      "#17707a",
      "#0f5d66",
      "#084a52"
    ]
  },
  primaryColor: "petrol",
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: "md",
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  headings: { fontWeight: "600", sizes: { h1: { fontSize: "1.5rem" }, h2: { fontSize: "1.125rem" } } },
  components: {
    // The header of a dialog is no landmark of the page.
    ModalHeader: { defaultProps: { role: "presentation" } },
    DrawerHeader: { defaultProps: { role: "presentation" } },
    Badge: { styles: { root: { minWidth: "max-content", textTransform: "none" } } },
    // Only items are allowed in a menu, and the placeholder is none.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: {
      ...closing,
      // A focused field is not below the buttons that stay in view.
      styles: {
        content: { scrollPaddingBottom: 72 },
        title: { fontWeight: 600, fontSize: "var(--mantine-font-size-lg)", overflowWrap: "anywhere" }
      }
    },
    Drawer: closing,
    Notification: closing,
    Table: { defaultProps: { verticalSpacing: "xs", horizontalSpacing: "sm" } },
    Tooltip: { defaultProps: { openDelay: 300 } }
  }
})

// Mantine's defaults are below the contrast of 4.5:1 that small text needs, on hovered rows and
// menu items at the latest.
const danger = { "--mantine-color-red-filled": "#c92a2a", "--mantine-color-red-filled-hover": "#b02525" }

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...danger,
    "--mantine-color-dimmed": "#565e66",
    "--mantine-color-placeholder": "#6b737b",
    "--mantine-color-error": "#c22525",
    "--mantine-color-red-light-color": "#a61e1e",
    "--mantine-color-orange-light-color": "#93370d",
    "--mantine-color-yellow-light-color": "#734f00",
    "--mantine-color-green-light-color": "#1d6b2f"
  },
  dark: {
    ...danger,
    "--mantine-color-anchor": "var(--mantine-color-petrol-3)",
    "--mantine-color-dimmed": "#a9adb3",
    "--mantine-color-placeholder": "#9a9ea4",
    "--mantine-color-error": "#ff9a9a"
  }
})
