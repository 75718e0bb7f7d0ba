/** Texts of the console stand in its catalogues: elsewhere they would not be translated. */
import { parseSync, Visitor } from "oxc-parser"
import { expect, it } from "vitest"
import { readRepository } from "./repository.ts"
import { textsOf } from "./sources.ts"

/** Attributes and properties that are shown or read aloud. */
const shown = new Set([
  ...["alt", "aria-description", "aria-label", "aria-roledescription", "aria-valuetext", "description", "error"],
  ...["hint", "label", "message", "nothingFoundMessage", "placeholder", "title"]
])

/** A literal that begins as a label or a sentence does. */
const isLabel = (text: string): boolean => /^[A-Z][a-z]+( |$)/.test(text)

/** Labels that are no text of the console, by their file. */
const others: Readonly<Record<string, string>> = {
  "account/deviceOf.ts": "names of products",
  "imports/importTemplate.ts": "a value of the example",
  "map/dateLine.ts": "types of GeoJSON",
  "sample-data/changeSamples.ts": "data, which has one language",
  "sample-data/sampleData.ts": "data, which has one language",
  "search/SearchDialog.tsx": "names of keys in events",
  "search/typeAhead.ts": "names of keys in events",
  "shell/session.ts": "a message of an error",
  "uploads/DropTarget.tsx": "a type of dragged data"
}

const isWord = (text: string): boolean => /\p{L}{2}/u.test(text)

type Node = { readonly type: string } & Readonly<Record<string, unknown>>

/** Texts that an expression can have as its value. */
const textsIn = (value: unknown): ReadonlyArray<string> => {
  const node = value as Node | null
  switch (node?.type) {
    case "Literal":
      return typeof node["value"] === "string" ? [node["value"]] : []
    case "TemplateLiteral":
      return (node["quasis"] as ReadonlyArray<Node>).map(({ value }) => (value as { readonly raw: string }).raw)
    case "ConditionalExpression":
      return [...textsIn(node["consequent"]), ...textsIn(node["alternate"])]
    case "LogicalExpression":
      return [...textsIn(node["left"]), ...textsIn(node["right"])]
    case "JSXExpressionContainer":
      return textsIn(node["expression"])
    default:
      return []
  }
}

const shownTextsOf = (path: string, text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  new Visitor({
    JSXText: ({ value }) => found.push(value.trim()),
    JSXElement: ({ children }) => {
      for (const child of children) found.push(...textsIn(child))
    },
    JSXFragment: ({ children }) => {
      for (const child of children) found.push(...textsIn(child))
    },
    JSXAttribute: ({ name, value }) => {
      if (name.type === "JSXIdentifier" && shown.has(name.name)) found.push(...textsIn(value))
    },
    Property: ({ key, value }) => {
      const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : ""
      if (shown.has(name)) found.push(...textsIn(value))
    }
  }).visit(parseSync(path, text).program)
  return found.filter(isWord)
}

it("finds texts in components", () => {
  const component = `const View = ({ on }) => (
    <Text title="Hello you" className="red" label={on ? "Yes" : texts.no} aria-label={\`Open \${name}\`}>
      Some words {"and more"} {texts.all} ·
      <Tool {...{ "aria-label": "Close it", size: "lg" }} />
    </Text>
  )`
  const found = shownTextsOf("View.tsx", component)
  expect(found.toSorted()).toEqual(["Close it", "Hello you", "Open ", "Some words", "Yes", "and more"])
})

it("the console shows no text that is not in a catalogue", () => {
  const inSources = [...readRepository()].filter(
    ([path]) => /^apps\/console\/src\/.*\.tsx?$/.test(path) && !path.startsWith("apps/console/src/texts/")
  )
  const found = inSources.flatMap(([path, text]) =>
    shownTextsOf(path, text).map((shownText) => `${path}: ${JSON.stringify(shownText)}`)
  )
  expect(found).toEqual([])
})

it("only named files have other literals that look like labels", () => {
  const found = [...readRepository()].flatMap(([path, text]) => {
    if (!/^apps\/console\/src\/(?!texts\/).*\.tsx?$/.test(path)) return []
    return textsOf(path, text).some(isLabel) ? [path.slice("apps/console/src/".length)] : []
  })
  expect(found.toSorted()).toEqual(Object.keys(others).toSorted())
})
