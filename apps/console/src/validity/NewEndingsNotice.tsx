/**
 * The news of the bell on the first page. Without news it is not there.
 */
import { Group, Paper, Text } from "@mantine/core"
import { SmallLink } from "../shell/SmallLink.tsx"
import { validityTexts as texts } from "../texts/en/validity.ts"
import { useNewEndings } from "./useNewEndings.ts"

export const NewEndingsNotice = () => {
  const { news, see } = useNewEndings()
  if (news.length === 0) return null
  return (
    <Paper component="section" aria-label={texts.title} withBorder px="md" py="xs">
      <Group gap="md">
        <Text size="sm" fw={600}>
          {texts.title}
        </Text>
        {news.map(({ count, isMore, place, state }) => (
          <SmallLink key={state} to={`/coverage?state=${state}`} underline="always" onClick={() => see(state, place)}>
            {texts.sentences[state](count, isMore)}
          </SmallLink>
        ))}
      </Group>
    </Paper>
  )
}
