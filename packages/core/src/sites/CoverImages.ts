/**
 * The addresses of uploaded cover images. A repository knows such a cover by its
 * storage key; callers get an address that is signed for six hours and signed
 * anew at half life (specification, section 2).
 *
 * @since 0.1.0
 */
import { Cache, Context, DateTime, Duration, Effect, Exit, Layer, Option } from "effect"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { makeUnchecked } from "../persistence/MakeUnchecked.ts"
import type { Page } from "../persistence/Page.ts"
import { jsonOf } from "../persistence/PageJson.ts"
import { DocumentStorage } from "../storage/DocumentStorage.ts"
import { RequestOrigin } from "../storage/RequestOrigin.ts"
import { type StorageError, storageWarning } from "../storage/StorageError.ts"
import { parseStorageKey, type StorageKey, storageKey, storageKeyIn } from "../storage/StorageKey.ts"
import { invalidCoverUrl, Site, type SiteId } from "./Site.ts"

const life = Duration.hours(6)
const halfLife = Duration.hours(3)
const capacity = 10_000

/** Of the covers of one answer the first that cannot be signed speaks for all. */
const warnOnce = () => {
  const warn = storageWarning("Addresses of cover images could not be signed")
  let warned = false
  return (error: StorageError) =>
    Effect.suspend(() => {
      if (warned) return Effect.void
      warned = true
      return warn(error)
    })
}

/**
 * The changes to a site, without an address that was signed for its own uploaded
 * cover: sending that back changes nothing. Any other address has to be https.
 * `siteId` is null where there is no such site.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withoutOwnCover = <Changes extends { readonly coverImageUrl?: string | null }>(
  organisationId: OrganisationId,
  siteId: SiteId | null,
  changes: Changes
): Effect.Effect<Changes, ValidationFailed> => {
  const sent = changes.coverImageUrl ?? null
  if (sent === null) return Effect.succeed(changes)
  if (siteId !== null && Option.exists(storageKeyIn(sent), (key) => key.startsWith(`${organisationId}/${siteId}/`))) {
    const { coverImageUrl: _own, ...others } = changes
    // The member that was left out is an optional one.
    return Effect.succeed(others as typeof changes)
  }
  if (/^https:/i.test(sent)) return Effect.succeed(changes)
  return Effect.fail(new ValidationFailed({ faults: [{ pointer: "/coverImageUrl", ...invalidCoverUrl }] }))
}

// Storage may begin an address with the origin of the request, so each origin has addresses of its own.
const entryOf = (key: StorageKey, origin: string | undefined): string =>
  origin === undefined ? key : `${key} ${origin}`

const entryParts = (entry: string) => {
  const [key = "", origin] = entry.split(" ")
  return { key, origin }
}

const isKey = (value: string | null): value is StorageKey => value !== null && Option.isSome(parseStorageKey(value))

/**
 * @category services
 * @since 0.1.0
 */
export class CoverImages extends Context.Service<
  CoverImages,
  {
    /** The same site; with an uploaded cover it has a signed address, or null while none can be signed. */
    readonly withSignedCover: (site: Site) => Effect.Effect<Site>

    /** The same sites in their order. A page without uploaded covers costs nothing. */
    readonly withSignedCovers: (sites: ReadonlyArray<Site>) => Effect.Effect<ReadonlyArray<Site>>

    readonly withSignedCoverPage: (page: Page<Site>) => Effect.Effect<Page<Site>>
  }
>()("@solar-sites/core/CoverImages") {
  static readonly layer: Layer.Layer<CoverImages, never, DocumentStorage> = Layer.effect(
    CoverImages,
    Effect.gen(function* () {
      const storage = yield* DocumentStorage

      const sign = Effect.fnUntraced(function* (entry: string) {
        const { key, origin } = entryParts(entry)
        const parts = parseStorageKey(key)
        if (Option.isNone(parts)) return null
        const from = yield* DateTime.now
        const download = { key: storageKey(parts.value), mimeType: null, filename: null }
        const validity = { from, until: DateTime.addDuration(from, life) }
        return yield* storage
          .signDownload(parts.value.organisationId, download, validity)
          .pipe(Effect.provideService(RequestOrigin, origin))
      })

      const addresses = yield* Cache.makeWith(sign, {
        capacity,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? halfLife : Duration.zero)
      })

      const withSignedCover = (site: Site, warn: ReturnType<typeof warnOnce>): Effect.Effect<Site> => {
        const key = site.coverImageUrl
        if (!isKey(key)) return Effect.succeed(site)
        return Effect.flatMap(RequestOrigin, (origin) => Cache.get(addresses, entryOf(key, origin))).pipe(
          // A storage that cannot sign right now costs the picture, not the site.
          Effect.catchTag("StorageError", (error) => Effect.as(warn(error), null)),
          Effect.map((coverImageUrl) => makeUnchecked(Site, { ...site, coverImageUrl }))
        )
      }

      const withSignedCovers = (sites: ReadonlyArray<Site>) => {
        if (!sites.some(({ coverImageUrl }) => isKey(coverImageUrl))) return Effect.succeed(sites)
        const warn = warnOnce()
        return Effect.forEach(sites, (site) => withSignedCover(site, warn))
      }

      return CoverImages.of({
        withSignedCover: (site) => withSignedCover(site, warnOnce()),
        withSignedCovers,
        withSignedCoverPage: (page) =>
          // A page that knows its JSON holds no uploaded cover.
          jsonOf(page) === undefined
            ? Effect.map(withSignedCovers(page.items), (items) => ({ items, hasMore: page.hasMore }))
            : Effect.succeed(page)
      })
    })
  )
}
