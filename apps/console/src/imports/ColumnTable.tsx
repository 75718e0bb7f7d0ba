/**
 * The columns of a file with their first values, and an input for what each holds.
 */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core"
import type { FileColumn, FileColumns } from "../api/imports.ts"
import { importTexts as texts } from "../texts/en/imports.ts"
import { attributeOf, attributePrefix, type Choices, isAttribute, isUndecided, leftOut } from "./columnChoices.ts"
import classes from "./Imports.module.css"

interface Props {
  readonly found: FileColumns
  readonly choices: Choices
  /** Marks the undecided columns. */
  readonly showFaults: boolean
  readonly onChoose: (choices: Choices) => void
}

const optionsOf = (members: ReadonlyArray<string>) => [
  { value: "", label: texts.undecided },
  ...members.map((member) => ({ value: member, label: texts.members[member] ?? member })),
  { value: attributePrefix, label: texts.attribute },
  { value: leftOut, label: texts.leaveOut }
]

interface InputProps {
  readonly column: FileColumn
  readonly choice: string
  readonly options: ReturnType<typeof optionsOf>
  readonly showFaults: boolean
  readonly onChoose: (choice: string) => void
}

const ChoiceInput = ({ choice, column, onChoose, options, showFaults }: InputProps) => {
  const fault = showFaults && isUndecided(choice) ? texts.chooseMember : undefined
  return (
    <Stack gap={4}>
      <NativeSelect
        size="xs"
        aria-label={texts.holds(column.header)}
        data={options}
        value={isAttribute(choice) ? attributePrefix : choice}
        error={isAttribute(choice) ? undefined : fault}
        onChange={({ currentTarget: { value } }) => onChoose(value === attributePrefix ? attributeOf(column) : value)}
      />
      {isAttribute(choice) && (
        <TextInput
          size="xs"
          aria-label={texts.attributeName(column.header)}
          value={choice.slice(attributePrefix.length)}
          maxLength={100}
          error={fault}
          onChange={({ currentTarget: { value } }) => onChoose(`${attributePrefix}${value}`)}
        />
      )}
      {choice !== "" && choice === column.suggestion && (
        <Text size="xs" c="dimmed">
          {texts.suggested}
        </Text>
      )}
    </Stack>
  )
}

export const ColumnTable = ({ choices, found, onChoose, showFaults }: Props) => {
  const { columns, members } = found
  const options = optionsOf(members)
  const choose = (changes: ReadonlyArray<readonly [string, string]>) => onChoose(new Map([...choices, ...changes]))
  const undecided = columns.filter(({ header }) => isUndecided(choices.get(header)))
  return (
    <Stack gap="sm">
      <table className={classes.table} aria-label={texts.table}>
        <thead>
          <tr>
            <th>{texts.heads.column}</th>
            <th className={classes.wide}>{texts.heads.samples}</th>
            <th>{texts.heads.member}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <tr key={column.index}>
              <td>{column.header}</td>
              <td className={classes.wide}>
                <Text size="xs" c="dimmed">
                  {column.samples.join(" · ")}
                </Text>
              </td>
              <td className={classes.choice}>
                <ChoiceInput
                  column={column}
                  choice={choices.get(column.header) ?? ""}
                  options={options}
                  showFaults={showFaults}
                  onChoose={(choice) => choose([[column.header, choice]])}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {undecided.length > 0 && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            onClick={() => choose(undecided.map((column) => [column.header, attributeOf(column)]))}
          >
            {texts.restAsAttributes}
          </Button>
          <Button size="xs" variant="default" onClick={() => choose(undecided.map(({ header }) => [header, leftOut]))}>
            {texts.restOut}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
