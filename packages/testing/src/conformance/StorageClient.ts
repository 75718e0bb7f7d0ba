/**
 * Client of signed addresses, like browsers and programs of callers. The suite of `DocumentStorage`
 * needs one that reaches the addresses of the adapter under test.
 */
import { Context, Effect, Layer } from "effect"

/** A PUT to a signed address. Chunks are sent in sequence without a declared length. */
export interface StoragePut {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | ReadonlyArray<Uint8Array>
  /** Runs before the last of several chunks is sent, while the upload is running. */
  readonly beforeLast?: Effect.Effect<void>
}

/** Refusal codes of uploads, as in the embedded storage. */
export const storageRefusals = [
  "address_expired",
  "address_invalid",
  "already_uploaded",
  "length_mismatch",
  "file_too_large",
  "unsupported_media_type"
] as const

/**
 * Response to a PUT. `status` is 0 when the connection ended without a response. A storage in
 * memory sets `code` on a refusal.
 */
export interface StorageAnswer {
  readonly status: number
  readonly code?: (typeof storageRefusals)[number]
}

/** Response to a GET. Header names are in lower case. */
export interface StorageDownload extends StorageAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A stream of the chunks. With `breaksOff` it fails at the end. */
const streamOf = (
  chunks: ReadonlyArray<Uint8Array>,
  { beforeLast = Effect.void, breaksOff = false } = {}
): ReadableStream<Uint8Array> => {
  let next = 0
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const chunk = chunks[next]
      if (chunk !== undefined) {
        if (next > 0 && next === chunks.length - 1) await Effect.runPromise(beforeLast)
        next += 1
        return controller.enqueue(chunk)
      }
      if (!breaksOff) return controller.close()
      // Gives the server time to read the previous bytes. A slow server just receives less of the
      // upload.
      await new Promise((resolve) => setTimeout(resolve, 50))
      controller.error(new Error("The connection is cut on purpose."))
    }
  })
}

const send = (url: string, init: RequestInit): Effect.Effect<StorageAnswer> =>
  Effect.promise((signal) =>
    fetch(url, { ...init, method: "PUT", signal, redirect: "manual" }).then(
      async (response) => {
        await response.arrayBuffer()
        return { status: response.status }
      },
      () => ({ status: 0 })
    )
  )

const isWhole = (body: StoragePut["body"]): body is Uint8Array => body instanceof Uint8Array

export class StorageClient extends Context.Service<
  StorageClient,
  {
    readonly put: (request: StoragePut) => Effect.Effect<StorageAnswer>

    /** Starts a PUT with a declared length and cuts the connection before the last byte. */
    readonly breakOff: (request: StoragePut & { readonly body: Uint8Array }) => Effect.Effect<void>

    readonly get: (url: string, headers?: Readonly<Record<string, string>>) => Effect.Effect<StorageDownload>
  }
>()("@solar-sites/testing/StorageClient") {
  /** Over HTTP with the `fetch` of the platform. */
  static readonly layerFetch: Layer.Layer<StorageClient> = Layer.succeed(StorageClient, {
    put: ({ beforeLast = Effect.void, body, headers, url }) =>
      isWhole(body)
        ? send(url, { headers, body: Uint8Array.from(body) })
        : send(url, { headers, body: streamOf(body, { beforeLast }), duplex: "half" }),

    breakOff: ({ body, headers, url }) =>
      Effect.asVoid(
        send(url, {
          headers: { ...headers, "content-length": String(body.byteLength) },
          body: streamOf([body.subarray(0, -1)], { breaksOff: true }),
          duplex: "half"
        })
      ),

    get: (url, headers = {}) =>
      Effect.promise(async (signal) => {
        const response = await fetch(url, { headers, signal, redirect: "manual" })
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: new Uint8Array(await response.arrayBuffer())
        }
      })
  })
}
