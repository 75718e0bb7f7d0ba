/**
 * The application of the host, with Solar Sites under /solar. Its own pages call Solar Sites by
 * promises, for the user who is logged in.
 */
import type { SolarSites } from "@solar-sites/core"
import express, { type Express, type RequestHandler } from "express"
import { addOmRecord, logIn, type User, userOf } from "./crm.ts"

export const makeHost = (solar: SolarSites, listener: RequestHandler): Express => {
  const app = express()
  app.use("/solar", listener)
  app.use(express.json())

  app.get("/hello", (_, response) => {
    response.send("Hello from the host.")
  })

  app.post("/login", (request, response) => {
    const token = logIn(request.body?.user)
    if (token === null) response.sendStatus(401)
    else response.json({ token })
  })

  /** A page for users who are logged in. */
  const forUsers =
    (answer: (user: User, body: Record<string, unknown>) => unknown): RequestHandler =>
    async (request, response) => {
      const user = userOf(request.headers.authorization)
      if (user === null) response.sendStatus(401)
      else response.json(await answer(user, request.body ?? {}))
    }

  const as = ({ companyId, id }: User) => solar.as({ organisationId: companyId, userId: id })

  app.post(
    "/api-keys",
    forUsers((user, { name }) => as(user).apiKeys.create({ name: String(name) }))
  )

  app.post(
    "/om-records",
    forUsers(async (user, { siteId }) => {
      const site = await as(user).sites.get(String(siteId))
      return addOmRecord(user.companyId, site.id)
    })
  )

  app.put(
    "/company",
    forUsers((user, { active }) =>
      solar.organisations.update(user.companyId, { status: active === true ? "active" : "inactive" })
    )
  )

  return app
}
