/** The pages that end the digests of a user: plain HTML, which needs no script and no session. */
import { HttpServerResponse } from "effect/http"
import type { MailTexts } from "../mail/texts/en.ts"

const style =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}"

const page = (
  { language }: MailTexts,
  nonce: string,
  content: string,
  status: number
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    [
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Solar Sites</title>`,
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

export const questionPage = (texts: MailTexts, nonce: string): HttpServerResponse.HttpServerResponse =>
  page(
    texts,
    nonce,
    [
      `<p>${texts.digest.question}</p>`,
      `<form method="post"><input type="hidden" name="${oneClick.name}" value="${oneClick.value}">`,
      `<button>${texts.digest.end}</button></form>`
    ].join("\n"),
    200
  )

const withAccount = ([before, after]: readonly [string, string], { digest }: MailTexts): string =>
  `<p>${before}<a href="/account">${digest.account}</a>${after}</p>`

export const donePage = (texts: MailTexts, nonce: string): HttpServerResponse.HttpServerResponse =>
  page(texts, nonce, withAccount(texts.digest.ended, texts), 200)

export const invalidPage = (texts: MailTexts, nonce: string): HttpServerResponse.HttpServerResponse =>
  page(texts, nonce, withAccount(texts.digest.invalid, texts), 410)
