/**
 * Results of a search as a listbox. The focus stays in the combobox, which names the active one.
 */
import { Text } from "@mantine/core"
import { HealthSignal } from "../health/HealthSignal.tsx"
import { IconFile, IconLayoutDashboard, IconPlus, IconSolarPanel, IconStack2 } from "../shell/icons.ts"
import { searchTexts as texts } from "../texts/en/search.ts"
import classes from "./Search.module.css"
import type { Result } from "./useSearch.ts"

const icons = {
  page: IconLayoutDashboard,
  action: IconPlus,
  site: IconSolarPanel,
  portfolio: IconStack2,
  document: IconFile
}

const bringIntoView = (option: HTMLElement | null): void => option?.scrollIntoView({ block: "nearest" })

interface Props {
  /** Ids of options are this and the path of the result. */
  readonly id: string
  readonly groups: ReadonlyArray<{ readonly label: string; readonly results: ReadonlyArray<Result> }>
  readonly active: Result | undefined
  readonly onOpen: (result: Result) => void
}

const Option = ({ active, id, onOpen, result }: Omit<Props, "groups"> & { readonly result: Result }) => {
  const Icon = icons[result.kind]
  const isActive = result === active
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus
    <div
      id={`${id}${result.to}`}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onOpen(result)}
      {...(isActive && { ref: bringIntoView })}
    >
      <Icon size={16} stroke={1.5} aria-hidden className={classes.icon} />
      <span className={classes.name}>{result.label}</span>
      {result.health && (
        <span className={classes.health}>
          <HealthSignal state={result.health} />
        </span>
      )}
      {result.hint !== "" && <span className={classes.hint}>{result.hint}</span>}
    </div>
  )
}

export const ResultList = ({ groups, ...props }: Props) => (
  <div role="listbox" id={props.id} aria-label={texts.results} className={classes.results}>
    {groups.map(({ label, results }) => (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
      <div role="group" key={label} aria-label={label}>
        <Text size="xs" fw={600} c="dimmed" px="xs" pt="xs" pb={4} aria-hidden>
          {label}
        </Text>
        {results.map((result) => (
          <Option key={result.to} result={result} {...props} />
        ))}
      </div>
    ))}
  </div>
)
