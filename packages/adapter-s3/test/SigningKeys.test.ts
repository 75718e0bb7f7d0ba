import { describe, expect, it } from "vitest"
import { signingKeys } from "../src/SignatureV4.ts"

const parts = ["20260329", "eu-central-1", "s3"] as const

describe("a signing key", () => {
  it("is of the secret that signs, also after another secret of the same day and place", () => {
    const keyOf = signingKeys()
    const exported = (secretAccessKey: string) =>
      keyOf({ accessKeyId: "access", secretAccessKey }, parts).export().toString("hex")
    const first = exported("first")
    const second = exported("second")
    expect(second).not.toBe(first)
    expect(signingKeys()({ accessKeyId: "access", secretAccessKey: "second" }, parts).export().toString("hex")).toBe(
      second
    )
    expect(exported("first")).toBe(first)
  })
})
