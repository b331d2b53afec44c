import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyApp } from './route.ts'

/**
 * The software of sellers does not call these paths. They have two thirds of the routes, and to add all of them takes a
 * sixth of the start of a stand-in, so each part is added with its first request.
 */
const ON_DEMAND = ['/_souk/', '/console/', '/operator/']

type Serve = (request: IncomingMessage, response: ServerResponse) => void

export interface Parts {
  serve: Serve
  /** Builds what is not built yet. */
  complete(): Promise<unknown>
}

/** Builds an app of the routes that are always needed now, and those of the others when they are needed. */
export async function buildParts(build: (isIncluded: (url: string) => boolean) => Promise<FastifyApp>): Promise<Parts> {
  const main = await build((url) => isAlways(url))
  const parts = ON_DEMAND.map((prefix) => ({ prefix, ...buildLater(() => build((url) => url.startsWith(prefix))) }))
  return {
    serve(request, response) {
      const url = request.url as string
      const part = parts.find(({ prefix }) => url.startsWith(prefix)) ?? findUnusual(url, parts)
      if (part) part.serve(request, response)
      else main.routing(request, response)
    },
    complete: () => Promise.all(parts.map(({ load }) => load())),
  }
}

function isAlways(url: string): boolean {
  // It would have to be tried before the others.
  if (/^\/[^/]*[:*]/.test(url)) throw new Error(`${url} may be part of all paths`)
  return !ON_DEMAND.some((prefix) => url.startsWith(prefix))
}

function buildLater(build: () => Promise<FastifyApp>): { load(): Promise<FastifyApp>; serve: Serve } {
  let app: FastifyApp | undefined
  let building: Promise<FastifyApp> | undefined
  const load = () => {
    building ??= build()
    return building
  }
  return {
    load,
    serve(request, response) {
      if (app) app.routing(request, response)
      else
        void load().then((built) => {
          app = built
          app.routing(request, response)
        })
    },
  }
}

/** For absolute URLs and escaped characters, which the router accepts. */
function findUnusual<Part extends { prefix: string }>(url: string, parts: readonly Part[]): Part | undefined {
  if (url.startsWith('/') && !url.includes('%')) return undefined
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*/s, '')
  try {
    const decoded = decodeURI(path)
    return parts.find(({ prefix }) => decoded.startsWith(prefix))
  } catch {
    // The router refuses it.
    return undefined
  }
}
