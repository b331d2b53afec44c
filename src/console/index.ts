import type { FastifyRequest } from 'fastify'
import type { ConsoleAuthentication } from '../http/authentication.ts'
import type { Routes } from '../http/route.ts'
import { quotaExceeded } from '../platform/errors/api-error.ts'
import type { Throttle } from '../platform/throttle/port.ts'
import { createDeveloper, type DeveloperDependencies } from './developer.ts'
import { createPageRoutes, type PagesDependencies } from './pages.ts'
import { createSessionOperations, notSignedIn, type SessionDependencies } from './session/operations.ts'
import { createSessionRoutes } from './session/routes.ts'

export interface ConsoleDependencies extends PagesDependencies, Omit<SessionDependencies, 'developer'> {
  /** By real time: the clock of `souk dev` may stand still. */
  throttle: Throttle
  /** Present in `souk dev`. */
  findDenial?: DeveloperDependencies['findDenial']
}

/** Per session, for all operations together. A page sends about ten requests. */
const SESSION_RATE = { perSecond: 50, burst: 200 }

/** The web console: its pages, and the sessions in which it calls the operations of the service. */
export function createConsole({ findDenial, throttle, ...dependencies }: ConsoleDependencies) {
  const developer = findDenial && createDeveloper({ database: dependencies.database, findDenial })
  const sessions = createSessionOperations({ ...dependencies, ...(developer && { developer }) })
  const authentication: ConsoleAuthentication = {
    async requireOperator(request) {
      requireDeveloper(request)
    },
    async findCaller(request, access) {
      return requireDeveloper(request).findCaller(request, access)
    },
  }
  const routes: Routes = (app) => {
    createPageRoutes(dependencies)(app)
    createSessionRoutes(sessions)(app)
  }
  return { authentication, routes }

  function requireDeveloper(request: FastifyRequest) {
    if (!developer) throw notSignedIn()
    developer.require(request)
    takeFrom('developer')
    return developer
  }

  function takeFrom(session: string): void {
    if (throttle.take(session, SESSION_RATE)) return
    const { perSecond, burst } = SESSION_RATE
    throw quotaExceeded(`The console may send ${perSecond} requests per second with a burst of ${burst}.`)
  }
}
