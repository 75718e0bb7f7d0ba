/** Field of several texts. */
import { TagsInput as MantineTagsInput, type TagsInputProps } from "@mantine/core"
import { useLateChoices } from "./useLateChoices.ts"

export const TagsInput = (props: TagsInputProps) => <MantineTagsInput {...props} {...useLateChoices(props)} />
