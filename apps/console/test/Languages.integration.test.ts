import { describe, expect, it } from "vitest"
import { executablePath } from "./Browser.ts"
import { choose } from "./Fixtures.ts"
import { expectFits, useSetup } from "./Setup.ts"

describe.skipIf(executablePath === "")("the console in a German browser", () => {
  const setup = useSetup()

  it("speaks German before and after the login, until another language is chosen", async () => {
    const { client, open, owner } = await setup().another()
    const place = { latitude: 48.5, longitude: -1.25 }
    await client.sites.create({ siteName: "Solarfeld", capacity: 1_234.5, unit: "kWp", ...place })
    await using watched = await open("/sites", { locale: "de-DE", loggedIn: false, own: true })
    const { page } = watched
    const languageOfPage = () => page.evaluate(() => document.documentElement.lang)
    await page.getByRole("button", { name: "Anmelden" }).click()
    await page.getByText("Geben Sie Ihre E-Mail-Adresse ein").waitFor()
    await page.getByLabel("E-Mail").fill(owner.email)
    await page.getByLabel("Passwort", { exact: true }).fill("not the password")
    await page.getByRole("button", { name: "Anmelden" }).click()
    await page.getByText("E-Mail-Adresse oder Passwort ist falsch.").waitFor()
    await page.getByLabel("Passwort", { exact: true }).fill(owner.password)
    await page.getByRole("button", { name: "Anmelden" }).click()

    await page.getByRole("heading", { name: "Standorte", level: 1 }).waitFor()
    await page.getByText("1,235 MWp").or(page.getByText("1.234,5 kWp")).first().waitFor()
    expect(await languageOfPage()).toBe("de")
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1120, height: 720 })
    const entries = page.getByRole("navigation").getByRole("link")
    const heights = await entries.evaluateAll((links) => links.map(({ clientHeight }) => clientHeight))
    // None breaks into two lines.
    expect([heights.length, new Set(heights).size]).toEqual([6, 1])
    await page.getByRole("link", { name: "Solarfeld" }).click()
    await page.getByText("48,5° / -1,25°").waitFor()
    await page.goBack()

    await page
      .getByRole("link", { name: "Neuer Standort" })
      .or(page.getByRole("button", { name: "Neuer Standort" }))
      .click()
    const dialog = page.getByRole("dialog", { name: "Neuer Standort" })
    await dialog.getByLabel("Leistung").fill("1,5")
    await dialog.getByRole("button", { name: "Standort anlegen" }).click()
    await dialog.getByText("Darf nicht leer sein").waitFor()
    await dialog.getByRole("button", { name: "Abbrechen" }).click()

    await page.getByRole("button", { name: /^Konto bei / }).click()
    await page.getByRole("menuitem", { name: "Mein Konto" }).click()
    await page.getByRole("heading", { name: "Mein Konto", level: 1 }).waitFor()
    await choose(page, "Sprache", "English")
    await page.getByRole("heading", { name: "My account", level: 1 }).waitFor()
    expect(await languageOfPage()).toBe("en")
  })
})
