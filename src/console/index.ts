import type { FastifyRequest } from 'fastify'
import type { ConsoleAuthentication } from '../http/authentication.ts'
import { CONSOLE_HEADER } from '../http/console-header.ts'
import type { Routes } from '../http/route.ts'
import { CONSOLE_APPLICATION, denied } from '../platform/auth/caller.ts'
import { quotaExceeded } from '../platform/errors/api-error.ts'
import type { MemoryThrottle } from '../platform/throttle/memory-throttle.ts'
import { createConsentOperations } from './consent/operations.ts'
import { createConsentRoutes } from './consent/routes.ts'
import { createDeveloper, type DeveloperDependencies } from './developer.ts'
import { createPageRoutes, type PagesDependencies } from './pages.ts'
import { createSessionOperations, type SessionDependencies } from './session/operations.ts'
import { createSessionRoutes } from './session/routes.ts'
import { createSessions, type SessionsDependencies } from './session/sessions.ts'

export { endedSessionSweep } from './session/retention.ts'

export interface ConsoleDependencies
  extends PagesDependencies,
    SessionsDependencies,
    Omit<SessionDependencies, 'developer' | 'sessions'> {
  /** By real time: the clock of `souk dev` may stand still. */
  throttle: MemoryThrottle
  /** Present in `souk dev`. */
  findDenial?: DeveloperDependencies['findDenial']
}

/** Per user, for all operations together. A page sends about ten requests. */
const SESSION_RATE = { perSecond: 50, burst: 200 }
/** What a developer sends instead of the CSRF token of a session. */
const DEVELOPER = '1'

/** The web console: its pages, and the sessions in which it calls the operations of the service. */
export function createConsole({ findDenial, throttle, ...dependencies }: ConsoleDependencies) {
  const developer = findDenial && createDeveloper({ database: dependencies.database, findDenial })
  const sessions = createSessions(dependencies)
  const operations = createSessionOperations({ ...dependencies, sessions, ...(developer && { developer }) })
  const authentication: ConsoleAuthentication = {
    async requireOperator(request) {
      if (admitDeveloper(request)) return 'developer'
      const { role, user } = await admitUser(request)
      if (role !== 'operator') throw denied('This operation is for the operator of the marketplace.')
      return user
    },
    async findCaller(request, access) {
      const asDeveloper = admitDeveloper(request)
      if (asDeveloper) return asDeveloper.findCaller(request, access)
      const { sellerId } = await admitUser(request)
      if (sellerId === undefined) throw denied('This operation is for sellers, and the session is that of an operator.')
      if (!access.seller) throw denied('This operation is for applications.')
      return { kind: 'seller', applicationId: CONSOLE_APPLICATION, sellerId, isConsole: true }
    },
  }
  const routes: Routes = (app) => {
    createPageRoutes(dependencies)(app)
    createSessionRoutes(operations, sessions.cookie)(app)
    createConsentRoutes(createConsentOperations(dependencies))(app)
  }
  return { authentication, routes }

  function admitDeveloper(request: FastifyRequest) {
    if (!developer || request.headers[CONSOLE_HEADER] !== DEVELOPER) return undefined
    developer.require(request)
    takeFrom('developer')
    return developer
  }

  async function admitUser(request: FastifyRequest) {
    const session = await sessions.require(request)
    // For all sessions of a user together: signing in again must not give more.
    takeFrom(session.user)
    return session
  }

  function takeFrom(session: string): void {
    if (throttle.take(session, SESSION_RATE)) return
    const { perSecond, burst } = SESSION_RATE
    throw quotaExceeded(`The console may send ${perSecond} requests per second with a burst of ${burst}.`)
  }
}
