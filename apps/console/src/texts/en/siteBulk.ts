/** Actions on selected sites. */
import { maximumTags } from "@solar-sites/core/model"
import { formatNumber } from "../formats.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 site" : `${formatNumber(count)} sites`)

export const siteBulkTexts = {
  selectFound: (total: number | undefined) =>
    total === undefined ? "Select all found" : `Select all ${sitesOf(total)} found`,
  stopSelecting: "Stop selecting",
  selectFailed: "Not all found sites are selected",
  inBatches: "They go in batches of 1,000: a batch changes as a whole, or not at all.",
  batch: (name: string, count: number) => (count === 1 ? name : `${name} and ${formatNumber(count - 1)} more`),
  move: "Move to …",
  moveTitle: (count: number) => `Move ${sitesOf(count)}`,
  moveTo: "Portfolio to move to",
  moveAction: "Move",
  moved: (count: number, name: string) => `${sitesOf(count)} moved to ${name}.`,
  takeOut: "Take out",
  takeOutTitle: (count: number, name: string) => `Take ${sitesOf(count)} out of ${name}`,
  takeOutHint: "The sites stay, in no portfolio.",
  takenOut: (count: number, name: string) => `${sitesOf(count)} taken out of ${name}.`,
  takeOutNeedsOne: "To take sites out, select sites of one portfolio only.",
  tag: "Tags …",
  tagTitle: (count: number) => `Change tags of ${sitesOf(count)}`,
  tagsToAdd: "Tags to add",
  tagsToRemove: "Tags to remove",
  tagHint: "Press Enter after each tag. Other tags stay.",
  tagHintWith: (known: string) => `Their tags: ${known}. Press Enter after each. Other tags stay.`,
  tooManyTags: `At most ${maximumTags} tags are possible.`,
  tagAction: "Change tags",
  tagged: (count: number) => `Tags of ${sitesOf(count)} changed.`,
  delete: "Delete …",
  deleteTitle: (count: number) => `Delete ${sitesOf(count)}?`,
  deleteHint: "All documents of the sites and their files are deleted with them, site by site.",
  deleteAction: (count: number) => `Delete ${sitesOf(count)}`,
  deleted: (count: number) => `${sitesOf(count)} deleted.`
}
