/**
 * Loads and removes the sample data by the API, as the user. Loading again adds the absent parts.
 */
import { hasFile } from "@solar-sites/core/model"
import type { Site } from "@solar-sites/http-node/client"
import { client } from "../api/client.ts"
import { isProblem } from "../api/failures.ts"
import { runEach } from "../lists/runEach.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { portfolioIdOf, type SamplePortfolio, samplePortfolios, sampleRequirements, sampleSites } from "./sampleData.ts"
import { makePdf, makePicture } from "./sampleFiles.ts"
import { readSamples } from "./sampleQueries.ts"

const each = async <Item>(items: ReadonlyArray<Item>, act: (item: Item) => Promise<unknown>): Promise<void> => {
  const { failed } = await runEach(items, act, { signal: new AbortController().signal })
  const [first] = failed
  if (first !== undefined) throw first.error
}

type Places = (key: SamplePortfolio) => string

const addPortfolios = async (): Promise<Places> => {
  const { portfolios } = await readSamples()
  const absent = samplePortfolios.filter(({ externalId }) =>
    portfolios.every((there) => there.externalId !== externalId)
  )
  const added = absent.length === 0 ? [] : await client.portfolios.createMany(absent)
  const ids = new Map([...portfolios, ...added].map(({ externalId, id }) => [externalId, id]))
  return (key) => ids.get(portfolioIdOf(key)) ?? ""
}

const addSites = async (placeOf: Places): Promise<ReadonlyArray<Site>> => {
  const { sites } = await readSamples()
  const absent = sampleSites
    .filter(({ site }) => sites.every(({ externalId }) => externalId !== site.externalId))
    .map(({ portfolio, site }) => (portfolio === null ? site : { ...site, portfolioId: placeOf(portfolio) }))
  if (absent.length === 0) return sites
  await client.sites.bulk({ sites: absent })
  return (await readSamples()).sites
}

const addRequirements = async (placeOf: Places): Promise<void> => {
  const { requirements, version } = await client.requirements.get()
  const absent = sampleRequirements
    .map(({ portfolio, ...requirement }) => ({ ...requirement, portfolioId: placeOf(portfolio) }))
    .filter(({ documentType, portfolioId }) =>
      requirements.every((there) => there.documentType !== documentType || there.portfolioId !== portfolioId)
    )
  if (absent.length === 0) return
  await client.requirements.replace({ requirements: [...requirements, ...absent] }, { expectedVersion: version })
}

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

type SampleFile = (typeof sampleSites)[number]["files"][number]

const nameOf = ({ documentType }: SampleFile): string =>
  documentType === null ? "cover.png" : `${documentTexts.documentTypes[documentType].toLowerCase()}.pdf`

const addFile = async (site: Site, file: SampleFile): Promise<void> => {
  const { documentType, isApproved = false, until } = file
  const filename = nameOf(file)
  const validUntil = until === undefined ? null : dayIn(until)
  const title = documentType === null ? "" : documentTexts.documentTypes[documentType]
  const lines = [title, site.siteName, "Sample document", ...(validUntil === null ? [] : [`Valid until ${validUntil}`])]
  const content = documentType === null ? await makePicture() : makePdf(lines)
  const { results } = await client.documents.issueUploads({
    siteId: site.id,
    fileType: documentType === null ? "coverImage" : "documents",
    files: [{ filename, mimeType: content.type, fileSize: content.size, documentType, validUntil }]
  })
  for (const result of results) {
    await client.uploads.send(result, content)
    if (!result.success) return
    try {
      await client.documents.changeStatus(result.documentId, { status: "uploaded" })
    } catch (error) {
      // The service has found the file by itself.
      if (!isProblem(error, "invalid_transition")) throw error
    }
    if (isApproved) await client.documents.changeStatus(result.documentId, { status: "approved" })
  }
}

const addFiles = async (site: Site): Promise<void> => {
  const files = sampleSites.find((sample) => sample.site.externalId === site.externalId)?.files ?? []
  if (files.length === 0) return
  const { data: documents } = await client.documents.list({ siteId: site.id })
  for (const file of files) {
    const named = documents.filter(({ filename }) => filename === nameOf(file))
    if (named.some(hasFile)) continue
    for (const { id } of named) await client.documents.delete(id)
    await addFile(site, file)
  }
}

export const loadSamples = async (): Promise<void> => {
  const placeOf = await addPortfolios()
  await addRequirements(placeOf)
  await each(await addSites(placeOf), addFiles)
}

/** Requirements of a portfolio go with it, documents of a site with the site. */
export const removeSamples = async (): Promise<void> => {
  const { portfolios, sites } = await readSamples()
  await each(sites, ({ id }) => client.sites.delete(id))
  await each(portfolios, ({ id }) => client.portfolios.delete(id))
}
