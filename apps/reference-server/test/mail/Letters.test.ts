import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import type { SessionToken } from "../../src/accounts/sessions/SessionToken.ts"
import * as Letters from "../../src/mail/Letters.ts"
import { mailLanguages, mailTextsIn } from "../../src/mail/texts/languages.ts"

const token: SessionToken = Redacted.make("A".repeat(43)) as SessionToken
const invited = { name: null, inviter: "Ada <b>", organisation: "Acme" }

const letters: ReadonlyArray<Letters.Letter> = [
  Letters.invitation(invited, token),
  Letters.invitationOfUser(invited),
  Letters.passwordReset("Ada", token),
  Letters.passwordChanged("Ada"),
  Letters.secondFactorChanged("Ada", true),
  Letters.secondFactorChanged("Ada", false),
  Letters.secondFactorRemoved("Ada"),
  Letters.emailConfirmation("Ada", token),
  Letters.emailChanged("Ada")
]

const mailsIn = (language: string) =>
  letters.map((letter) => Letters.toMail("a@example.com", "https://solar.example.com", letter, mailTextsIn(language)))

describe.each(mailLanguages)("the mails in %s", (language) => {
  it("are complete, in text and HTML", () => {
    for (const [index, { html, subject, text }] of mailsIn(language).entries()) {
      expect(subject).not.toMatch(/undefined|Ada|Acme|^$/)
      expect(`${text}${html}`).not.toContain("undefined")
      expect(html).toContain(`<html lang="${language}">`)
      expect(html).not.toContain("<b>")
      const { link, path } = {
        path: undefined,
        ...letters[index],
        link: letters[index]?.textsIn(mailTextsIn(language)).link
      }
      expect(link === undefined).toBe(path === undefined)
      if (path !== undefined) expect(text).toContain(`${link}:\nhttps://solar.example.com${path}`)
    }
  })
})

it("each language has its own texts, and an unknown one the English ones", () => {
  const [english = [], german = []] = ["en", "de"].map((language) => mailsIn(language).map(({ text }) => text))
  expect(english.filter((text) => german.includes(text))).toEqual([])
  expect(mailsIn("xx").map(({ text }) => text)).toEqual(english)
  expect(german[0]).toMatch(/^Guten Tag,\n\nAda <b> lädt Sie zur Organisation Acme auf Solar Sites ein\./)
})
