/**
 * Pages for an unknown address, for page code that cannot be loaded, and for
 * one that fails.
 */
import { Button, Loader, Text } from "@mantine/core"
import { useEffect, useState } from "react"
import { Link, useRouteError } from "react-router"
import { ask } from "../api/ask.ts"
import { shellTexts } from "../texts/en/shell.ts"
import { Page } from "./Page.tsx"

export const NotFoundPage = () => (
  <Page title={shellTexts.notFoundTitle}>
    <Text>{shellTexts.notFound}</Text>
    <div>
      <Button component={Link} to="/sites" variant="default">
        {shellTexts.toStart}
      </Button>
    </div>
  </Page>
)

/** The code of a page could not be loaded. */
export class PageNotLoaded extends Error {
  override readonly name = "PageNotLoaded"
}

const FailedPage = () => (
  <Page title={shellTexts.brokenTitle}>
    <Text>{shellTexts.broken}</Text>
    <div>
      <Button onClick={() => location.reload()}>{shellTexts.reload}</Button>
    </div>
  </Page>
)

const pollMillis = 2_000

const isReachable = (): Promise<boolean> =>
  ask("GET /console/configuration").then(
    () => true,
    () => false
  )

/**
 * Reloads when the server is back. A server that answers the first poll is not the cause; a reload
 * could loop then.
 */
const UnloadedPage = () => {
  const [unreachable, setUnreachable] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let gone = false
    const poll = async (isFirst: boolean) => {
      const reachable = await isReachable()
      if (gone) return
      if (!reachable) {
        setUnreachable(true)
        timer = setTimeout(poll, pollMillis, false)
      } else if (!isFirst) location.reload()
    }
    void poll(true)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [])
  if (!unreachable) return <FailedPage />
  return (
    <Page title={shellTexts.unreachableTitle}>
      <Text role="status">{shellTexts.unreachable}</Text>
      <Loader aria-hidden />
    </Page>
  )
}

export const BrokenPage = () => (useRouteError() instanceof PageNotLoaded ? <UnloadedPage /> : <FailedPage />)
