/** The form of a site, and conflicts with changes by others. */
import { editableNumber, formatExact } from "../formats.ts"

const numberExample = editableNumber(1234.5)

export const siteFormTexts = {
  create: "New site",
  edit: (name: string) => `Edit ${name}`,
  notANumber: `Enter a number such as ${numberExample}`,
  twoNumbers: (values: ReadonlyArray<number>) =>
    `This can be ${values.map(formatExact).join(" or ")}: write ${values.map((value) => editableNumber(value)).join(" or ")}`,
  understood: (value: number, unit: string) => `= ${formatExact(value)} ${unit}`.trim(),
  tagsHint: "Press Enter after each tag.",
  attribute: (name: string) => (name === "" ? "New attribute" : `Attribute ${name}`),
  attributeName: "Name of the attribute",
  attributeKind: "Type",
  attributeKinds: { text: "Text", number: "Number", boolean: "Yes or no", null: "Empty" },
  attributeValue: "Value",
  attributeTwice: (name: string) => `The name “${name}” occurs twice`,
  attributeNumber: (name: string, fault: string) => `The value of “${name}”: ${fault}`,
  addAttribute: "Add attribute",
  removeAttribute: (name: string) => (name === "" ? "Remove the new attribute" : `Remove the attribute ${name}`),
  yes: "Yes",
  no: "No",
  noPortfolio: "In no portfolio",
  portfolioMissing: "Choose a portfolio",
  pick: "Choose the position on the map",
  hidePicker: "Hide the map",
  pickHint: "Click a place, or move the map by its arrow keys and take its middle.",
  takeMiddle: "Take the middle of the map",
  position: "Position of the site",
  managerName: "Name of the site manager",
  managerCompany: "Company",
  managerEmail: "E-mail",
  managerPhone: "Phone",
  createAction: "Create site",
  saveAction: "Save",
  created: (name: string) => `${name} was created.`,
  openCreated: "Open it",
  saved: (name: string) => `${name} was saved.`,
  failed: "This was not saved",
  conflictTitle: "This site was changed meanwhile",
  conflict: (labels: ReadonlyArray<string>) =>
    `Changed by them: ${labels.join(", ").toLowerCase()}. Your changes are not saved yet, and not lost.`,
  conflictSame: "They changed nothing that this form shows. Your changes are not saved yet.",
  keepMine: "Keep my changes on top of theirs",
  takeTheirs: "Forget my changes"
}
