/**
 * Addresses of uploaded cover images. A repository stores the storage key of an uploaded cover;
 * callers get an address that is signed for six hours and renewed at half life (specification,
 * section 2).
 */
import { Cache, Context, DateTime, Duration, Effect, Exit, Layer, Option } from "effect"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import type { Page } from "../lists/Page.ts"
import { jsonOf } from "../lists/PageJson.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { DocumentStorage } from "../storage/DocumentStorage.ts"
import { RequestOrigin } from "../storage/RequestOrigin.ts"
import { type StorageError, storageWarning } from "../storage/StorageError.ts"
import { parseStorageKey, type StorageKey, storageKey, storageKeyIn } from "../storage/StorageKey.ts"
import { invalidCoverUrl, Site, type SiteId } from "./Site.ts"

const life = Duration.hours(6)
const halfLife = Duration.hours(3)
const capacity = 10_000

/** Logs the first signing failure of a response only. */
const warnOnce = () => {
  const warn = storageWarning("signing of cover image addresses failed")
  let warned = false
  return (error: StorageError) =>
    Effect.suspend(() => {
      if (warned) return Effect.void
      warned = true
      return warn(error)
    })
}

/**
 * Removes a signed address of the site's own uploaded cover from the changes, because sending it
 * back changes nothing. Any other address must be https. `siteId` is null for a new site.
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
    // The removed member is optional.
    return Effect.succeed(others as typeof changes)
  }
  if (/^https:/i.test(sent)) return Effect.succeed(changes)
  return Effect.fail(new ValidationFailed({ faults: [{ pointer: "/coverImageUrl", ...invalidCoverUrl }] }))
}

// Signed addresses can contain the origin of the request, so each origin has its own cache entries.
const entryOf = (key: StorageKey, origin: string | undefined): string =>
  origin === undefined ? key : `${key} ${origin}`

const entryParts = (entry: string) => {
  const [key = "", origin] = entry.split(" ")
  return { key, origin }
}

const isKey = (value: string | null): value is StorageKey => value !== null && Option.isSome(parseStorageKey(value))

export class CoverImages extends Context.Service<
  CoverImages,
  {
    /** The site with a signed address of its uploaded cover, or null when signing fails. */
    readonly withSignedCover: (site: Site) => Effect.Effect<Site>

    /** The sites with signed covers, in the same order. Free for pages without uploaded covers. */
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
          // When storage is down, the site is returned without its cover.
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
          // A page with JSON has no uploaded covers.
          jsonOf(page) === undefined
            ? Effect.map(withSignedCovers(page.items), (items) => ({ items, hasMore: page.hasMore }))
            : Effect.succeed(page)
      })
    })
  )
}
