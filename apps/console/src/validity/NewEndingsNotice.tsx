/**
 * The news of the bell on the first page. Without news it is not there.
 */
import { Anchor, Group, Paper, Text } from "@mantine/core"
import { Link } from "react-router"
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
          <Anchor
            key={state}
            component={Link}
            to={`/coverage?state=${state}`}
            size="sm"
            underline="always"
            onClick={() => see(state, place)}
          >
            {texts.sentences[state](count, isMore)}
          </Anchor>
        ))}
      </Group>
    </Paper>
  )
}
