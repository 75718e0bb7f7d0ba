/**
 * The nonce that the content security policy of this page gives to style elements.
 */

declare global {
  // Read by libraries that create style elements.
  var __webpack_nonce__: string | undefined
}

export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ""

globalThis.__webpack_nonce__ = styleNonce
