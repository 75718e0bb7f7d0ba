/** Roles of users. */
import type * as english from "../en/roles.ts"
import type { Translated } from "../Translated.ts"

export const roleTexts: Translated<typeof english.roleTexts> = {
  owner: { name: "Inhaber", description: "Inhaber dürfen alles." },
  admin: {
    name: "Administrator",
    description: "Administratoren verwalten Schlüssel und alle Personen außer Inhabern und ändern alle Daten."
  },
  member: {
    name: "Mitglied",
    description: "Mitglieder ändern Standorte, Portfolios und Dokumente und geben Dokumente frei."
  },
  viewer: { name: "Leser", description: "Leser sehen alles und ändern nichts." }
}
