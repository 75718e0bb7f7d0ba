import { describe, expect, it } from "@effect/vitest"
import {
  CalendarDate,
  type DocumentId,
  type DocumentRequirement,
  type PortfolioId,
  type SiteId
} from "@solar-sites/core"
import { Clock, DateTime, Effect } from "effect"
import { inScene } from "./validityScene.ts"

const types = ["insurance", "epc", null] as const
type Type = (typeof types)[number]
type Day = CalendarDate | null

/** A document of the model. `told` is what was announced since its last day changed or it became current. */
interface Modelled {
  readonly name: string
  readonly type: Type
  readonly siteId: SiteId
  readonly replaces: DocumentId | null
  readonly validFrom: Day
  readonly validUntil: Day
  readonly told: "nothing" | "expiring" | "expired"
}

const dayMillis = 86_400_000

const choicesOf = (seed: number) => {
  let state = Math.imul(seed + 1, 2_654_435_761)
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const of = <A>(options: ReadonlyArray<A>): A | undefined => options[below(options.length)]
  return { below, of }
}

const history = (seed: number) =>
  inScene(
    Effect.fnUntraced(function* (scene) {
      const { below, of } = choicesOf(seed)
      const portfolios: Array<PortfolioId> = [yield* scene.addPortfolio, yield* scene.addPortfolio]
      const sites = new Map<SiteId, PortfolioId | null>()
      for (const portfolioId of [null, ...portfolios]) sites.set(yield* scene.addSite(portfolioId), portfolioId)
      const documents = new Map<DocumentId, Modelled>()
      let requirements: ReadonlyArray<Partial<DocumentRequirement>> = []
      let isActive = true
      let servers = [yield* scene.start()]
      let names = 0
      let seen: ReadonlyArray<string> = []

      const now = Clock.currentTimeMillis
      const anyDay = Effect.map(now, (millis): Day => {
        if (below(6) === 0) return null
        return CalendarDate.make(DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis + (below(130) - 20) * dayMillis)))
      })
      const isCurrent = (id: DocumentId) => ![...documents.values()].some(({ replaces }) => replaces === id)
      const anyCurrent = () => of([...documents.keys()].filter(isCurrent))

      const noticeOf = ({ siteId, type }: Modelled) => {
        const portfolioId = sites.get(siteId) ?? null
        const notices = [portfolioId, null].map((place) =>
          requirements.find((one) => one.documentType === type && (one.portfolioId ?? null) === place)
        )
        return notices.find((one) => one !== undefined)?.expiringWithinDays ?? 30
      }

      /** What the model expects to be announced now. */
      const expected = (millis: number): ReadonlyArray<string> => {
        if (!isActive || servers.length === 0) return []
        const today = Math.floor(millis / dayMillis)
        return [...documents].flatMap(([id, document]) => {
          const { name, told, validFrom, validUntil } = document
          if (validUntil === null || !isCurrent(id)) return []
          const left = Date.parse(validUntil) / dayMillis - today
          const isBegun = validFrom === null || Date.parse(validFrom) / dayMillis <= today
          const due = left < 0 ? "expired" : left <= noticeOf(document) && isBegun ? "expiring" : "nothing"
          const isDue = due === "expired" ? told !== "expired" : due === "expiring" && told === "nothing"
          if (!isDue) return []
          documents.set(id, { ...document, told: due })
          return [`${due} ${name}`]
        })
      }

      const settle = Effect.gen(function* () {
        yield* scene.advance("1 minutes")
        const all = yield* scene.announced
        const expectedNow = expected(yield* now)
        expect(all.slice(0, seen.length)).toEqual(seen)
        expect(all.slice(seen.length).toSorted(), `${DateTime.formatIso(yield* DateTime.now)}`).toEqual(
          expectedNow.toSorted()
        )
        seen = all
      })

      const upload = Effect.gen(function* () {
        const siteId = of([...sites.keys()])
        if (siteId === undefined) return
        const [one, two] = [yield* anyDay, yield* anyDay]
        const [validFrom, validUntil] = one !== null && two !== null && one > two ? [two, one] : [one, two]
        const others = [...documents.keys()].filter((id) => isCurrent(id) && documents.get(id)?.siteId === siteId)
        const replaces = below(3) === 0 ? (of(others) ?? null) : null
        const [type = null, name] = [of(types), `document ${++names}`]
        const members = { documentType: type, filename: name, replaces, validFrom, validUntil }
        const id = yield* scene.upload(siteId, members)
        documents.set(id, { name, type, siteId, replaces, validFrom, validUntil, told: "nothing" })
      })

      /** Takes a document out of its chain. Its predecessor is current again. */
      const leave = Effect.fnUntraced(function* (how: "reject" | "remove") {
        const id = anyCurrent()
        const document = id && documents.get(id)
        if (!id || !document) return
        yield* scene[how](id)
        documents.delete(id)
        const predecessor = document.replaces && documents.get(document.replaces)
        if (document.replaces && predecessor) documents.set(document.replaces, { ...predecessor, told: "nothing" })
      })

      const changeDay = Effect.gen(function* () {
        const id = anyCurrent()
        const document = id && documents.get(id)
        if (!id || !document) return
        const validUntil = yield* anyDay
        if (validUntil !== null && document.validFrom !== null && validUntil < document.validFrom) return
        yield* scene.change(id, { validUntil })
        const told = validUntil === document.validUntil ? document.told : "nothing"
        documents.set(id, { ...document, validUntil, told })
      })

      const require = Effect.gen(function* () {
        const places = [null, ...portfolios].filter(() => below(2) === 0)
        requirements = places.flatMap((portfolioId) =>
          (["insurance", "epc"] as const)
            .filter(() => below(2) === 0)
            .map((documentType) => ({ documentType, portfolioId, expiringWithinDays: 1 + below(120) }))
        )
        yield* scene.require(...requirements)
      })

      const move = Effect.gen(function* () {
        const [siteId, portfolioId = null] = [of([...sites.keys()]), of([null, ...portfolios])]
        if (siteId === undefined) return
        yield* scene.move(siteId, portfolioId)
        sites.set(siteId, portfolioId)
      })

      const toggle = Effect.gen(function* () {
        isActive = !isActive
        yield* scene.setStatus(isActive ? "active" : "inactive")
      })

      const restart = Effect.gen(function* () {
        for (const stop of servers) yield* stop
        servers = yield* Effect.forEach(Array.from({ length: below(3) }), () => scene.start())
      })

      const steps = [
        upload,
        upload,
        upload,
        changeDay,
        changeDay,
        require,
        move,
        toggle,
        restart,
        leave("reject"),
        leave("remove")
      ]
      for (let count = 0; count < 120; count++) {
        for (let together = below(3); together >= 0; together--) yield* of(steps) ?? upload
        yield* settle
        if (below(3) > 0) continue
        yield* scene.advance(`${1 + below(20)} days`)
        yield* settle
      }
      expect(seen.length, "a history without events would prove nothing").toBeGreaterThan(20)
    })
  )

describe("announced validity agrees with a model", () => {
  it.live.each([1, 2, 3, 4, 5, 6])("on random history %d", (seed) => history(seed))
})
