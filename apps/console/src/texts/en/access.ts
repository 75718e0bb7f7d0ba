/** Users, invitations and API keys that are limited to portfolios. */
import { formatNumber } from "../formats.ts"

const others = (count: number): string => (count === 0 ? "" : ` and ${formatNumber(count)} more`)

export const accessTexts = {
  label: "Sees",
  all: "All portfolios",
  allOwn: "All portfolios that you see",
  chosen: "Chosen portfolios only",
  portfolios: "Portfolios",
  portfoliosHint: "Everything outside of them is hidden: sites, documents, events and the portfolios themselves.",
  missing: "Choose at least one portfolio",
  /** `count` portfolios are not named. */
  only: (names: ReadonlyArray<string>, count: number) => `Only ${names.join(", ")}${others(count)}`,
  onlyUnnamed: (count: number) => (count === 1 ? "Only 1 portfolio" : `Only ${formatNumber(count)} portfolios`),
  nothing: "No portfolio, so nothing"
}
