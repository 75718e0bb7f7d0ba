/**
 * A line about what a user or an API key sees; nothing for one that sees all.
 */
import { Text } from "@mantine/core"
import { limitText, type PortfolioLimit } from "./portfolioLimit.ts"
import { usePortfolioNames } from "./portfolioQueries.ts"

export const LimitLine = ({ limit }: { readonly limit: PortfolioLimit }) => {
  const { nameOf } = usePortfolioNames()
  const text = limitText(limit, nameOf)
  return text === undefined ? null : (
    <Text span display="block" size="xs" c="dimmed">
      {text}
    </Text>
  )
}
