/**
 * Entry point of the page.
 */
import "./shell/mantine.css"
import "@mantine/notifications/styles.css"
import "./shell/global.css"
// First of all modules, so that the router never sees the token.
import "./links/linkToken.ts"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { Console } from "./shell/Console.tsx"
import { formatNumber } from "./texts/formats.ts"

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no element with the id root")
// The requests of the page are on their way: a task for each of these leaves a phone responsive.
setTimeout(() =>
  createRoot(root).render(
    <StrictMode>
      <Console />
    </StrictMode>
  )
)
// The first format takes a phone a tenth of a second.
setTimeout(() => formatNumber(0))
