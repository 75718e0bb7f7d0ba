import { describe, expect, it } from "vitest"
import { faultsOf } from "./declarations.ts"

const judge = (path: string, text: string) => faultsOf(new Map([[path, text]]))
const path = "packages/some/dist/Some.d.ts"

describe("declarations", () => {
  it.each([
    "export declare const found: any;",
    "export declare const find: (name: string, most?: any) => string;",
    "export interface Box { readonly values: ReadonlyArray<any> }",
    "declare const Base: new <A extends Record<string, any> = {}>() => A;"
  ])("may not hold any: %s", (text) => {
    expect(judge(path, `/** Comment. */\n${text}\n`)).toEqual([`${path}:2 holds any`])
  })

  it("may speak of it, and name things after it", () => {
    expect(judge(path, '/** Takes any. */\nexport declare const any: "any" | unknown;\n')).toEqual([])
  })

  it("keeps no exception that is none", () => {
    const exception = "packages/http-node/dist/client/Answers.d.ts"
    expect(judge(exception, "export declare const bodyOf: () => any;")).toEqual([])
    expect(judge(exception, "export {};")).toEqual([`${exception} needs no exception any more`])
  })
})
