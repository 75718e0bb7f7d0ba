/**
 * The frame around every page: header and navigation.
 */
import { Burger, Group, Text } from "@mantine/core"
import { useDisclosure, useMediaQuery } from "@mantine/hooks"
import { lazy, Suspense, useEffect, useRef } from "react"
import { Link, Outlet, useLocation } from "react-router"
import { SearchButton } from "../search/SearchButton.tsx"
import { shellTexts } from "../texts/en/shell.ts"
import { useHasUploads } from "../uploads/uploadsOfTab.ts"
import { ValidityBell } from "../validity/ValidityBell.tsx"
import { AccountMenu } from "./AccountMenu.tsx"
import { ColourSchemeMenu } from "./ColourSchemeMenu.tsx"
import { ConnectionNotice } from "./ConnectionNotice.tsx"
import icon from "./icon.svg"
import { Navigation } from "./Navigation.tsx"
import classes from "./Shell.module.css"
import type { TabState } from "./TabLinks.tsx"

const mainId = "main"

const UploadTray = lazy(async () => ({ default: (await import("../uploads/UploadTray.tsx")).UploadTray }))

/**
 * Moves the focus to the top of a new page, for keyboards and screen readers. A tab keeps the focus.
 */
const useFocusOnArrival = () => {
  const { pathname, state }: { readonly pathname: string; readonly state: Partial<TabState> | null } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    if (state?.fromTab === true) return
    document.getElementById(mainId)?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [pathname, state])
}

export const Shell = () => {
  const [opened, { close, toggle }] = useDisclosure()
  const isNarrow = useMediaQuery("(max-width: 47.99em)")
  const hasUploads = useHasUploads()
  useFocusOnArrival()
  return (
    <>
      <a className={classes.skip} href={`#${mainId}`}>
        {shellTexts.skip}
      </a>
      <div className={classes.frame}>
        <header className={classes.header}>
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? shellTexts.closeNavigation : shellTexts.openNavigation}
              aria-expanded={opened}
            />
            <Link to="/" className={classes.brand}>
              <img src={icon} alt="" width={26} height={26} />
              <Text span fw={600} className={classes.product}>
                {shellTexts.product}
              </Text>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton />
            <ValidityBell />
            <ColourSchemeMenu />
            <AccountMenu />
          </Group>
        </header>
        {/* Folded away it lies beside the screen, where the keyboard must not go. */}
        <nav
          className={classes.navigation}
          data-opened={opened || undefined}
          inert={isNarrow && !opened}
          aria-label={shellTexts.navigation}
        >
          <Navigation onNavigate={close} />
        </nav>
        <main id={mainId} tabIndex={-1} className={classes.main}>
          <ConnectionNotice />
          <Outlet />
        </main>
        {hasUploads && (
          <Suspense>
            <UploadTray />
          </Suspense>
        )}
      </div>
    </>
  )
}
