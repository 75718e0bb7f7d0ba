/**
 * What is used of Lighthouse. Its own types need those of a browser and of its protocol, two megabytes that each type
 * check would read.
 */
declare module "lighthouse" {
  interface Result {
    readonly audits: Readonly<
      Record<string, { readonly title: string; readonly score: number | null; readonly displayValue?: string }>
    >
    readonly categories: Readonly<
      Record<
        string,
        {
          readonly score: number | null
          readonly auditRefs: ReadonlyArray<{ readonly id: string; readonly weight: number }>
        }
      >
    >
    readonly environment: { readonly benchmarkIndex: number }
    readonly runtimeError?: { readonly message: string }
  }

  interface Flags {
    readonly port: number
    readonly logLevel: "error"
    readonly onlyCategories: ReadonlyArray<string>
    readonly extraHeaders: Readonly<Record<string, string>>
  }

  export default function lighthouse(address: string, flags: Flags): Promise<{ readonly lhr: Result } | undefined>
}
