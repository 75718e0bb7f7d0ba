import { describe, expect, it } from "vitest"
import { columnsIn, withColumns } from "../../src/lists/useListAddress.ts"

describe("the columns of a list in its address", () => {
  it("are the same after they were written and read again, beside all other parameters", () => {
    const search = withColumns("?tag=a&tag=b&cursor=c", ["health", "address"])
    expect(search).toBe("tag=a&tag=b&cursor=c&columns=health.address")
    expect(columnsIn(search)).toEqual(["health", "address"])
    expect(columnsIn(withColumns(search, ["tags"]))).toEqual(["tags"])
  })

  it("are none but the first where all others are hidden, and unknown where they are not named", () => {
    expect(columnsIn(withColumns("", []))).toEqual([""])
    expect(columnsIn("?tag=a")).toBeNull()
  })
})
