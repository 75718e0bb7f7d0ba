/**
 * What is shown for an address that leads nowhere, and for a page that fails.
 */
import { Button, Text } from "@mantine/core"
import { Link } from "react-router"
import { shellTexts } from "../texts/shell.ts"
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

/** A part of the console that a newer version has replaced fails to come, too: reloading helps. */
export const BrokenPage = () => (
  <Page title={shellTexts.brokenTitle}>
    <Text>{shellTexts.broken}</Text>
    <div>
      <Button onClick={() => location.reload()}>{shellTexts.reload}</Button>
    </div>
  </Page>
)
