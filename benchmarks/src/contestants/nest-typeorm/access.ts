/**
 * Authentication and error handling around every handler.
 */
import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  createParamDecorator,
  type ExceptionFilter,
  type ExecutionContext,
  Inject,
  Injectable
} from "@nestjs/common"
import type { NextFunction, Request, Response } from "express"
import { fixedHeaders, requestIdOf } from "../common/headers.ts"
import { type Authenticate, authenticator, type Caller } from "../common/keys.ts"
import { challenge, problemMediaType, toProblem } from "../common/problems.ts"
import type { Store } from "../common/store.ts"

export const STORE = Symbol("Store")

export interface Identified extends Request {
  requestId: string
  caller: Caller
}

@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly authenticate: Authenticate

  constructor(@Inject(STORE) store: Store) {
    this.authenticate = authenticator(store.findKey)
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Identified>()
    request.caller = await this.authenticate(request.headers["x-api-key"])
    return true
  }
}

export const CurrentCaller = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Identified>().caller
)

@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const problem = toProblem(error)
    const [request, response] = [
      host.switchToHttp().getRequest<Identified>(),
      host.switchToHttp().getResponse<Response>()
    ]
    if (problem.status === 401) response.set(challenge)
    response.status(problem.status).type(problemMediaType).json(problem.body(request.requestId))
  }
}

export const identify = (request: Identified, response: Response, next: NextFunction): void => {
  request.requestId = requestIdOf(request.headers["x-request-id"])
  response.set({ "x-request-id": request.requestId, ...fixedHeaders })
  next()
}
