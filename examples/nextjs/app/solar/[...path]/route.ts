/** Everything below /solar. All methods are exported, so that unknown ones get a 405. */
import { web } from "../../../lib/solar.ts"

const answer = (request: Request) => web.handler(request)

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT
}
