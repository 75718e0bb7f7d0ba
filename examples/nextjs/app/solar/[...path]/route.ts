/** Everything below /solar, whatever the method: unknown ones are answered with 405 as well. */
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
