/**
 * Three first steps of an organisation, until all are done or the user hides them. Only for users
 * who can take each of them.
 */
import { Button, Group, Text, VisuallyHidden } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useStored } from "../lists/useStored.ts"
import { LoadSampleData } from "../sample-data/LoadSampleData.tsx"
import { useCanUseSamples } from "../sample-data/sampleQueries.ts"
import { IconCircleCheck, IconCircleDashed } from "../shell/icons.ts"
import { Section } from "../shell/Section.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { overviewTexts } from "../texts/en/overview.ts"
import classes from "./Overview.module.css"
import { overviewQuery } from "./overviewQueries.ts"

const texts = overviewTexts.start

interface StepProps {
  readonly to: string
  readonly title: string
  readonly hint: string
  readonly isDone: boolean
}

const Step = ({ hint, isDone, title, to }: StepProps) => {
  const Icon = isDone ? IconCircleCheck : IconCircleDashed
  return (
    <li className={classes.step}>
      <Icon size={20} stroke={1.75} aria-hidden className={classes.sign} data-done={isDone || undefined} />
      <div>
        <SmallLink to={to} fw={600}>
          {title}
        </SmallLink>
        <VisuallyHidden>{isDone ? texts.done : texts.open}</VisuallyHidden>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
    </li>
  )
}

export const StartSection = () => {
  const { data } = useQuery(overviewQuery)
  const isManager = useCanUseSamples()
  const [isHidden, setHidden] = useStored("first-steps-hidden", (stored) => stored === true)
  if (data === undefined || !isManager || isHidden) return null
  const steps = [
    { to: "/sites", title: texts.sites, hint: texts.sitesHint, isDone: data.siteCount > 0 },
    {
      to: "/company/requirements",
      title: texts.requirements,
      hint: texts.requirementsHint,
      isDone: data.requirements > 0
    },
    {
      to: "/company/api-keys",
      title: texts.access,
      hint: texts.accessHint,
      isDone: data.apiKeys > 0 || data.users > 1
    }
  ]
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  return (
    <Section
      title={texts.title}
      actions={
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {texts.progress(done, steps.length)}
          </Text>
          <Button size="compact-sm" variant="subtle" onClick={() => setHidden(true)}>
            {texts.hide}
          </Button>
        </Group>
      }
    >
      <ol className={classes.steps}>
        {steps.map((step) => (
          <Step key={step.to} {...step} />
        ))}
      </ol>
      {data.siteCount === 0 && <SmallLink to="/sites/import">{texts.import}</SmallLink>}
      {data.siteCount === 0 && <LoadSampleData />}
    </Section>
  )
}
