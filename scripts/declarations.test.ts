import { describe, expect, it } from "vitest"
import { faultsOf } from "./declarations.ts"

const path = "packages/some/dist/Some.d.ts"

describe("declarations", () => {
  it.each([
    "export declare const found: any;",
    "export declare const find: (name: string, most?: any) => string;",
    "export interface Box { readonly values: ReadonlyArray<any> }",
    "declare const Base: new <A extends Record<string, any> = {}>() => A;"
  ])("may not hold any: %s", (text) => {
    expect(faultsOf(path, `/** Comment. */\n${text}\n`)).toEqual([`${path}:2 holds any`])
  })

  it.each([
    '/** Takes any. */\nexport declare const any: "any" | unknown;\n',
    "declare const Refused_base: new <A extends Record<string, any> = {}>(args: A) => Readonly<A>;"
  ])("may speak of it, and stand on Effect's errors: %j", (text) => {
    expect(faultsOf(path, text)).toEqual([])
  })
})
