/** The API keys of the organisation, under the company profile. */
import { formatNumber } from "../formats.ts"

const days = (count: number): string => (count === 1 ? "1 day" : `${formatNumber(count)} days`)

export const apiKeyTexts = {
  title: "API keys",
  description: (organisation: string) =>
    `Programs that act for ${organisation} show one of these keys. The scopes of a key say what its holder can read and change.`,
  notManager: "Owners and admins manage API keys.",
  list: "API keys",
  create: "New key",
  none: "There are no keys yet",
  noneYet: "Make one for each program that uses the API, so that you can delete it without disturbing the others.",
  name: "Name",
  prefix: "begins with",
  createdAt: "Created",
  lastUsedAt: "Last used",
  expiresAt: "Expires",
  scopes: (scopes: ReadonlyArray<string>) => `Scopes: ${scopes.join(", ")}`,
  allScopes: "All scopes",
  createdBy: (name: string) => `by ${name}`,
  replacedBy: "Replaced by",
  developers: "For developers",
  baseAddress: "Base address",
  example: "Example",
  exampleHint: "Set SOLAR_SITES_KEY to a key, which every request sends in the header x-api-key.",
  exampleCopy: "Command",
  reference: "API reference",
  openReference: "Every operation, with its scopes, and the OpenAPI document",
  actions: "Actions",
  never: "Never",
  expired: "Expired",
  rotate: "Replace",
  rotateNamed: (name: string) => `Replace the key “${name}”`,
  delete: "Delete",
  deleteNamed: (name: string) => `Delete the key “${name}”`,
  createDialog: {
    title: "New API key",
    name: "Name",
    nameHint: "What the key is for, such as the program that uses it and where that runs",
    nameMissing: "Enter a name, so that you know later on what the key is for",
    life: "Works for",
    lifeOf: days,
    otherLife: "Another number of days",
    days: "Days",
    daysWrong: (maximum: number) => `Enter a whole number of days from 1 to ${formatNumber(maximum)}`,
    access: "May",
    accesses: { all: "Do everything", read: "Read only", chosen: "Do what you choose" },
    scopes: "Scopes",
    scopesMissing: "Choose at least one scope",
    next: "Continue",
    back: "Back",
    submit: "Create the key",
    confirmTitle: "Create this key?",
    confirm: (name: string, until: string) => `“${name}” will work until ${until}.`,
    confirmPower: (organisation: string) =>
      `The holder of the key acts for ${organisation}. It is shown once, right after this: have the place ready where you keep it.`,
    failed: "The key was not created"
  },
  revealDialog: {
    created: (name: string) => `The key “${name}”`,
    warning: "This is the only time that you see the key. It cannot be shown again; if it is lost, replace it.",
    key: "API key",
    stored: "I have stored the key in a safe place",
    held: "You are still looking at a key that is not shown again. Store it, then close this with “Done”."
  },
  rotateDialog: {
    title: (name: string) => `Replace “${name}”?`,
    explanation: "You get a new key of this name. Choose how long the old one works beside it, while you change over.",
    overlap: "The old key stops working",
    overlaps: { "0s": "At once", "1h": "After an hour", "24h": "After a day", "7d": "After a week" },
    hints: { "0s": "Right if others may know it" } as Readonly<Record<string, string>>,
    submit: "Replace the key",
    failed: "The key was not replaced"
  },
  maybeIssued:
    "The key may have been made all the same, without being shown. If it is in the list, delete it and make another one.",
  deleteDialog: {
    title: (name: string) => `Delete “${name}”?`,
    explanation: (prefix: string) =>
      `The key that begins with ${prefix} stops working at once, for every program that uses it. This cannot be undone.`,
    submit: "Delete the key",
    done: (name: string) => `The key “${name}” was deleted`
  }
}
