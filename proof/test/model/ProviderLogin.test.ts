import { describe, expect, it } from "vitest"
import type { ProviderLogin } from "../../src/model/ProviderLogin.ts"
import type { Step } from "../../src/model/Runner.ts"
import type { Target } from "../../src/model/targets/Target.ts"
import { onDatabase } from "./Finding.ts"

const claim: Step = { does: "setLoginDomains", organisation: 1, domains: ["example.com"] }

const login = (more: Partial<ProviderLogin> = {}): ProviderLogin => ({
  ...{ does: "logInByProvider", organisation: 1, person: 0, email: { "@email": 0, of: "own" } },
  ...{ spelling: "plain", isVerified: true, role: "owner" },
  ...{ domain: undefined, session: undefined, spoilt: undefined, ...more }
})

const newcomer = { "@email": 7, of: "new" } as const
const foreign = { "@email": 0, of: "foreign" } as const

/** Steps after which a second person has another account than the first one. */
const twoPersons = [claim, login(), login({ person: 1, email: newcomer })]

describe("the model of logins at a provider", () => {
  const { finding } = onDatabase()

  /** The provider says something else to the service than to the model. */
  const saying =
    (claims: Readonly<Record<string, unknown>>) =>
    (target: Target): Partial<Target> => ({
      grant: (address, given) => target.grant?.(address, { ...given, ...claims }) ?? ""
    })

  it("agrees about links, new users, known identities, roles and refusals", async () => {
    const refused = [login({ person: 2, email: foreign }), login({ person: 3, isVerified: false })]
    const spoilt = (["other code", "other browser", "twice"] as const).map((one) => login({ spoilt: one }))
    const logins = [login({ session: 0, role: "admin" }), ...spoilt]
    expect(await finding([...twoPersons, ...refused, ...logins])).toBe("nothing")
  })

  it("agrees about a mail to an address in capitals", async () => {
    const reset: Step = {
      ...{ call: "requestPasswordReset", who: { organisation: 1, key: 0, odd: "none" }, ids: [] },
      body: { email: { "@email": 1, of: "own" } }
    }
    expect(await finding([claim, login({ email: newcomer, spelling: "upper" }), reset])).toBe("nothing")
  })

  it("notices an identity that is found without all of its name", async () => {
    const everyone = saying({ sub: "everyone" })
    expect(await finding(twoPersons, everyone)).toContain("expected")
  })

  it("notices a link by an address that the provider has not verified", async () => {
    const verified = saying({ email_verified: true })
    const found = await finding([claim, login({ isVerified: false })], verified)
    expect(found).toContain("expected status 302 , found 200")
  })

  it("notices a link into an organisation without the domain", async () => {
    const organisations: Array<string> = []
    const found = await finding([claim, login({ email: foreign })], (target) => ({
      createUser: async (organisation, request) => {
        organisations.push(organisation)
        return (await target.createUser?.(organisation, request)) ?? Promise.reject()
      },
      // The domain goes to the first organisation.
      setLoginDomains: async (_, domains) =>
        (await target.setLoginDomains?.(organisations[0] ?? "", domains)) ?? "taken"
    }))
    expect(found).toContain("expected status 302 , found 200")
  })
})
