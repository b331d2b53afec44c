import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, type Routes, restOf } from '../http/route.ts'
import { createStaticFiles } from '../http/static-files.ts'
import type { Ids } from '../platform/ids/port.ts'

export interface PagesDependencies {
  ids: Ids
  version: string
  /** The folder of the built console. */
  folder: string
  /** Where browsers download and upload documents. Undefined if it is not known at the moment. */
  documentOrigin(): Promise<string | undefined>
}

/** What the build writes besides `index.html`. Each dot is between two other characters, so no path leaves the folder. */
const FILE = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)+$/
/** Their names change with their content. */
const ASSETS = 'assets/'
const API = 'v1/'
const NONCE = '__CSP_NONCE__'

const policy = (nonce: string, documentOrigin = '') =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `connect-src 'self' ${documentOrigin}`.trimEnd(),
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
const FILE_POLICY = "default-src 'none'; frame-ancestors 'none'"

const page = (operationId: string) => ({
  config: { access: 'public', ungated: true, fallback: true } as const,
  schema: { operationId, hide: true },
})

/** Serves the console at `/console/`. It is one page, which shows what its address names. */
export function createPageRoutes({ ids, version, folder, documentOrigin }: PagesDependencies): Routes {
  const files = createStaticFiles({
    version,
    folder,
    prefix: '/console/',
    pattern: FILE,
    notBuilt: { message: 'The console is not built.', details: 'Run npm ci in the clone.' },
  })

  return (app: App) => {
    app.get('/console', page('redirectToConsole'), async (_request, reply) => reply.redirect('/console/'))
    app.route({
      method: ['GET', 'HEAD'],
      url: '/console/*',
      ...page('getConsolePage'),
      handler: async (request, reply) => {
        const path = restOf(request)
        if (path.startsWith(API)) return reply.callNotFound()
        // An id in the address of a page, such as a SKU, can have a dot too.
        const isFile = path.startsWith(ASSETS) || (path.includes('.') && !path.includes('/'))
        if (!isFile || path === 'index.html') return sendPage(request, reply)
        return files.send(await files.find(path), request, reply, {
          'content-security-policy': FILE_POLICY,
          'cache-control': path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache',
        })
      },
    })
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply) {
    const { file } = await files.find('index.html')
    const nonce = ids.next('nonce')
    const html = (await readFile(file, 'utf8')).replaceAll(NONCE, nonce)
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(nonce, await documentOrigin()),
      'cache-control': 'no-cache',
      // Addresses of pages have ids, and that of the consent page has the state of another application.
      'referrer-policy': 'no-referrer',
      'content-length': Buffer.byteLength(html),
    })
    return reply.send(request.method === 'HEAD' ? undefined : html)
  }
}
