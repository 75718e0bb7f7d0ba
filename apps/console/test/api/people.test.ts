import { expect, it } from "vitest"
import { Role, mayManage as serverAllows } from "../../../reference-server/src/accounts/people/Role.ts"
import { mayManage, roles } from "../../src/api/people.ts"

it("offers what the server lets a role do to users of another one", () => {
  expect(roles).toEqual(Role.literals)
  const pairs = roles.flatMap((manager) => roles.map((managed) => [manager, managed] as const))
  for (const [manager, managed] of pairs) {
    expect([manager, managed, mayManage(manager, managed)]).toEqual([manager, managed, serverAllows(manager, managed)])
  }
})
