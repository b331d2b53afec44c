import { ApiError } from '../platform/errors/api-error.ts'
import { pathOf } from './authentication.ts'
import type { App } from './route.ts'

/** Tells a path that does not exist from a method that the path does not take. To be added before any route. */
export function addNotFound(app: App): void {
  const known: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = patternOf(url)
    for (const one of [method].flat()) known.push({ pattern, method: one })
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    const allowed = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (allowed.length === 0) throw new ApiError('NotFound', `There is nothing at ${path}.`)
    reply.header('allow', allowed.join(', '))
    throw new ApiError('MethodNotAllowed', `${path} takes ${allowed.join(' or ')}, not ${request.method}.`)
  })
}

function patternOf(url: string): RegExp {
  const text = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${text.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`)
}
