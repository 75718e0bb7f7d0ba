/**
 * An organisation with portfolios, and callers that are limited to one of them.
 */
import type { PlainIssuedUploads } from "@solar-sites/core"
import { StorageClient } from "@solar-sites/testing"
import { Effect } from "effect"
import { makeSetup, unknownId } from "../promises/setup.ts"

type Setup = Awaited<ReturnType<typeof makeSetup>>
type User = ReturnType<Setup["solar"]["as"]>

/** Ids of records in one place. */
export interface Place {
  readonly portfolioId: string
  readonly siteId: string
  readonly documentId: string
}

const newSite = { siteName: "Long Meadow", capacity: 2, unit: "MW" } as const
const newFile = { filename: "Contract.pdf", mimeType: "application/pdf", fileSize: 3, documentType: "ppa" } as const

const uploadOf = ({ results: [first] }: PlainIssuedUploads) => {
  if (first?.success !== true) throw new Error("no upload address")
  return first
}

/** Adds a site with an uploaded document. */
const addSite = async ({ memory }: Setup, user: User, portfolioId: string | null) => {
  const { id: siteId } = await user.sites.create({ ...newSite, portfolioId })
  const { documentId, uploadUrl } = uploadOf(
    await user.documents.issueUploads({ siteId, fileType: "documents", files: [newFile] })
  )
  const put = StorageClient.use((storage) =>
    storage.put({ url: uploadUrl.url, headers: uploadUrl.headers, body: new Uint8Array(3) })
  )
  await Effect.runPromise(Effect.provide(put, memory))
  await user.documents.changeStatus(documentId, { status: "uploaded" })
  return { siteId, documentId }
}

const addPlace = async (setup: Setup, user: User, name: string): Promise<Place> => {
  const { id: portfolioId } = await user.portfolios.create({ name })
  return { portfolioId, ...(await addSite(setup, user, portfolioId)) }
}

/**
 * An owner, and a caller that is limited to the portfolio `inside`. `outside` is another portfolio, `unplaced` a site
 * without one, `foreign` is of another organisation, and `absent` nowhere.
 */
export const makeReach = async () => {
  const setup = await makeSetup()
  const { solar, user: owner } = setup
  const organisationId = owner.organisation.id
  const inside = await addPlace(setup, owner, "Inside")
  const outside = await addPlace(setup, owner, "Outside")
  const unplaced = { portfolioId: unknownId, ...(await addSite(setup, owner, null)) }
  const foreign = await addPlace(setup, await setup.newUser(), "Foreign")
  const absent = { portfolioId: unknownId, siteId: unknownId, documentId: unknownId }
  const limitedTo = (...portfolioIds: ReadonlyArray<string>) =>
    solar.as({ organisationId, userId: "user-2", portfolioIds })
  return {
    ...setup,
    owner,
    organisationId,
    limitedTo,
    limited: limitedTo(inside.portfolioId),
    places: { inside, outside, unplaced, foreign, absent },
    addSite: (portfolioId: string | null) => addSite(setup, owner, portfolioId)
  }
}

export type Reach = Awaited<ReturnType<typeof makeReach>>

/** All that an organisation has. */
export const contentsOf = async ({ owner }: Pick<Reach, "owner">) => ({
  sites: await owner.sites.list(),
  portfolios: await owner.portfolios.list(),
  documents: await owner.documents.list(),
  requirements: await owner.requirements.get(),
  webhooks: await owner.webhooks.list(),
  events: await owner.events.list()
})
