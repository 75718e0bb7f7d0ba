/**
 * The sample data: portfolios, sites, required documents and files. Days count from today.
 */
import type { CreatePortfolio, CreateSite, Document } from "@solar-sites/http-node/client"
import { portfolioPrefix, sampleTag, sitePrefix } from "./sampleQueries.ts"

type DocumentType = NonNullable<Document["documentType"]>

const portfolioNames = {
  rooftops: "Yorkshire rooftops",
  ground: "Southern ground mounts",
  iberia: "Iberia"
} as const

export type SamplePortfolio = keyof typeof portfolioNames

const portfolioKeys: ReadonlyArray<SamplePortfolio> = ["rooftops", "ground", "iberia"]

export const portfolioIdOf = (key: SamplePortfolio): string => `${portfolioPrefix}${key}`

export const samplePortfolios: ReadonlyArray<CreatePortfolio & { readonly externalId: string }> = portfolioKeys.map(
  (key) => ({ name: portfolioNames[key], externalId: portfolioIdOf(key) })
)

interface SampleFile {
  /** Null for a cover image. */
  readonly documentType: DocumentType | null
  /** Last day of validity, in days from today. */
  readonly until?: number
  readonly isApproved?: boolean
}

interface SampleSite {
  readonly site: Omit<CreateSite, "portfolioId"> & { readonly externalId: string }
  readonly portfolio: SamplePortfolio | null
  readonly files: ReadonlyArray<SampleFile>
}

type Row = readonly [
  name: string,
  address: string,
  capacityKw: number,
  latitude: number,
  longitude: number,
  portfolio: SamplePortfolio | null,
  tags: ReadonlyArray<string>,
  files: ReadonlyArray<SampleFile>
]

const cover: SampleFile = { documentType: null }
const approved = (documentType: DocumentType, until?: number): SampleFile =>
  until === undefined ? { documentType, isApproved: true } : { documentType, until, isApproved: true }

const rows: ReadonlyArray<Row> = [
  [
    "Aire Street Depot",
    "Aire Street, Leeds LS1 4HT",
    248,
    53.796,
    -1.5508,
    "rooftops",
    ["rooftop"],
    [cover, approved("mcs_certificate"), approved("insurance", 240), approved("om_contract")]
  ],
  [
    "Calder Mill",
    "Mill Lane, Halifax HX3 9TA",
    412,
    53.7248,
    -1.8577,
    "rooftops",
    ["rooftop"],
    [approved("mcs_certificate"), approved("insurance", 21)]
  ],
  [
    "Ouse Cold Store",
    "Foss Islands Road, York YO31 7UL",
    186,
    53.9606,
    -1.0707,
    "rooftops",
    ["rooftop"],
    [{ documentType: "mcs_certificate" }]
  ],
  ["Dales Primary School", "Gargrave Road, Skipton BD23 1PT", 49.6, 53.9621, -2.0173, "rooftops", ["rooftop"], []],
  [
    "Long Meadow",
    "Long Meadow Farm, Andover SP11 6LJ",
    5_200,
    51.208,
    -1.4797,
    "ground",
    ["ground-mount"],
    [cover, approved("insurance", 160), approved("land_lease", 9_000), approved("epc"), approved("om_contract")]
  ],
  [
    "Blackmoor Vale",
    "Sturminster Newton DT10 2BD",
    12_400,
    50.9261,
    -2.3043,
    "ground",
    ["ground-mount", "battery"],
    [approved("insurance", -12), approved("land_lease", 7_300), { documentType: "epc" }]
  ],
  [
    "Romney Marsh East",
    "Lydd TN29 9PL",
    8_750,
    50.9508,
    0.9089,
    "ground",
    ["ground-mount"],
    [{ documentType: "insurance", until: 300 }, approved("land_lease", 45)]
  ],
  ["Chalk Ridge", "Newbury RG20 9BG", 3_100, 51.3414, -1.3279, "ground", ["ground-mount"], []],
  [
    "Quinta do Sol",
    "Estrada de Tavira, 8800 Tavira",
    21_500,
    37.1309,
    -7.6506,
    "iberia",
    ["ground-mount", "tracker"],
    [cover, approved("ppa", 3_650), approved("insurance", 90), approved("land_lease", 8_000)]
  ],
  [
    "Llanos de Cáceres",
    "Carretera de Trujillo, 10004 Cáceres",
    48_000,
    39.4753,
    -6.3724,
    "iberia",
    ["ground-mount", "tracker"],
    [approved("ppa", 3_650), { documentType: "insurance", until: 12 }]
  ],
  ["Herdade Nova", "7800 Beja", 16_200, 38.0151, -7.8632, "iberia", ["ground-mount"], [approved("land_lease", 6_000)]],
  ["Harbour Carport", "Canute Road, Southampton SO14 3FJ", 320, 50.8966, -1.3945, null, ["carport"], []]
]

const slugOf = (name: string): string =>
  name
    .normalize("NFD")
    .replaceAll(/\p{Mn}/gu, "")
    .toLowerCase()
    .replaceAll(" ", "-")

export const sampleSites: ReadonlyArray<SampleSite> = rows.map(
  ([siteName, address, capacityKw, latitude, longitude, portfolio, tags, files]) => {
    const [capacity, unit] = capacityKw < 1_000 ? [capacityKw, "kWp" as const] : [capacityKw / 1_000, "MWp" as const]
    const externalId = `${sitePrefix}${slugOf(siteName)}`
    const site = { siteName, address, capacity, unit, latitude, longitude, tags: [sampleTag, ...tags], externalId }
    return { site, portfolio, files }
  }
)

interface SampleRequirement {
  readonly portfolio: SamplePortfolio
  readonly documentType: DocumentType
  readonly validityRequired: boolean
  readonly expiringWithinDays: number
}

const required = (portfolio: SamplePortfolio, documentType: DocumentType, days?: number): SampleRequirement => ({
  portfolio,
  documentType,
  validityRequired: days !== undefined,
  expiringWithinDays: days ?? 30
})

/** They belong to the sample portfolios, and go with them. */
export const sampleRequirements: ReadonlyArray<SampleRequirement> = [
  ...portfolioKeys.map((portfolio) => required(portfolio, "insurance", 30)),
  required("rooftops", "mcs_certificate"),
  required("rooftops", "om_contract"),
  required("ground", "land_lease", 60),
  required("ground", "epc"),
  required("ground", "om_contract"),
  required("iberia", "land_lease", 60),
  required("iberia", "ppa")
]
