/**
 * The bell of the header: what has newly expired or expires soon, with links to the coverage.
 */
import { ActionIcon, Indicator, Text } from "@mantine/core"
import { Link } from "react-router"
import { IconBell } from "../shell/icons.ts"
import { LazyMenu } from "../shell/LazyMenu.tsx"
import { validityTexts as texts } from "../texts/en/validity.ts"
import { useNewEndings } from "./useNewEndings.ts"

export const ValidityBell = () => {
  const { canRead, news, see } = useNewEndings()
  if (!canRead) return null
  const hasNews = news.length > 0
  return (
    <Indicator disabled={!hasNews} color="red" size={8} offset={4}>
      <LazyMenu
        target={
          <ActionIcon variant="default" size="lg" aria-label={texts.bell(hasNews)}>
            <IconBell size={18} stroke={1.5} aria-hidden />
          </ActionIcon>
        }
        items={({ Item, Label }) => (
          <>
            <Label>{texts.title}</Label>
            {news.map(({ count, isMore, place, state }) => (
              <Item key={state} component={Link} to={`/coverage?state=${state}`} onClick={() => see(state, place)}>
                {texts.sentences[state](count, isMore)}
              </Item>
            ))}
            {!hasNews && (
              <Text px="sm" pb="xs" size="sm" c="dimmed">
                {texts.nothing}
              </Text>
            )}
          </>
        )}
      />
    </Indicator>
  )
}
