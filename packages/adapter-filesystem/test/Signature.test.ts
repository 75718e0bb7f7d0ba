import { StorageKey } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import { sign } from "../src/Signature.ts"

describe("the token of an address", () => {
  it("keeps its form, so that addresses stay valid across an update of the server", () => {
    const key = StorageKey.make(
      "01900000-0000-7000-8000-000000000001/01900000-0000-7000-8000-000000000002/01900000-0000-7000-8000-000000000003"
    )
    const terms = { type: "image/png", length: 7, maximum: 100, begins: 1, expires: 2 }
    expect(sign(new Uint8Array(32).fill(7), "PUT", key, terms)).toBe(
      "token=eyJ0eXBlIjoiaW1hZ2UvcG5nIiwibGVuZ3RoIjo3LCJtYXhpbXVtIjoxMDAsImJlZ2lucyI6MSwiZXhwaXJlcyI6Mn0.Z0DDenCyK62UmH745wMCLGao_HWRLObVvNm9qvdceOo"
    )
  })
})
