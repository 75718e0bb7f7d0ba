/** The pages that end the digests of a user: plain HTML, which needs no script and no session. */
import { HttpServerResponse } from "effect/http"

const style =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}"

const page = (nonce: string, content: string, status: number): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Solar Sites</title>',
      '<meta name="viewport" content="width=device-width,initial-scale=1">',
      `<style nonce="${nonce}">${style}</style></head><body><main><h1>Solar Sites</h1>`,
      content,
      "</main></body></html>\n"
    ].join("\n"),
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
        "referrer-policy": "no-referrer"
      }
    }
  )

/** The field that a POST must have (RFC 8058), and its value. */
export const oneClick = { name: "List-Unsubscribe", value: "One-Click" }

export const questionPage = (nonce: string): HttpServerResponse.HttpServerResponse =>
  page(
    nonce,
    [
      "<p>Stop the mails about documents that expire or are missing?</p>",
      `<form method="post"><input type="hidden" name="${oneClick.name}" value="${oneClick.value}">`,
      "<button>Stop these mails</button></form>"
    ].join("\n"),
    200
  )

export const donePage = (nonce: string): HttpServerResponse.HttpServerResponse =>
  page(
    nonce,
    '<p>You get no more of these mails. You can choose them again in <a href="/account">My account</a>.</p>',
    200
  )

export const invalidPage = (nonce: string): HttpServerResponse.HttpServerResponse =>
  page(
    nonce,
    '<p>This link is not valid. Choose how often you get these mails in <a href="/account">My account</a>.</p>',
    410
  )
