import { createReadStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../platform/errors/api-error.ts'
import { addOpenApiDocument, addOpenApiViewer } from './openapi.ts'
import type { App } from './route.ts'

export interface DocsOptions {
  version: string
  /** The folder of the built site, which `npm run docs` writes. */
  folder: string
  /** Whether the viewer offers the operations of the control plane. */
  hasControlPlane: boolean
}

/** The one check between a URL and the disk: no dot but that of the extension, so no path leaves the folder. */
const SITE_PATH = /^(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.(?:css|js|json|svg))?$/
/** Longer names are an error of the file system, not a missing file. */
const MAX_PATH_LENGTH = 100

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const PAGE_POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src'].map((directive) => `${directive} 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((directive) => `${directive} 'none'`),
].join('; ')

/** Serves the site at `/docs/`, and the OpenAPI document with its viewer at `/docs/try`. Add it before any route. */
export async function addDocs(app: App, { version, folder, hasControlPlane }: DocsOptions): Promise<void> {
  await addOpenApiDocument(app, version)
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' }
      route.schema = { ...route.schema, hide: true }
    })
    // With a slash at the end, because links between pages are relative.
    for (const url of ['/', '/docs']) docs.get(url, async (_request, reply) => reply.redirect('/docs/'))
    docs.route<{ Params: { '*': string } }>({
      method: ['GET', 'HEAD'],
      url: '/docs/*',
      handler: (request, reply) => sendFile(request.params['*'] || 'index', request, reply),
    })
    addOpenApiViewer(docs, '/docs/try', { hasControlPlane })
  })

  async function sendFile(path: string, request: FastifyRequest, reply: FastifyReply) {
    if (path.length > MAX_PATH_LENGTH || !SITE_PATH.test(path)) throw noPage(path)
    const file = join(folder, extname(path) ? path : `${path}.html`)
    const { size, mtimeMs } = await stat(file).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' || error.code === 'ENOTDIR' ? noPage(path) : error
    })
    // With the version, because npm gives all files of all packages the same time.
    const etag = `"${version}-${Math.trunc(mtimeMs).toString(16)}-${size.toString(16)}"`
    reply.headers({
      'content-type': CONTENT_TYPES[extname(file)],
      'content-security-policy': PAGE_POLICY,
      'cache-control': 'no-cache',
      etag,
    })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    reply.header('content-length', size)
    return reply.send(request.method === 'HEAD' ? undefined : createReadStream(file))
  }

  function noPage(path: string): ApiError {
    if (!existsSync(folder)) {
      return new ApiError(
        'NotFound',
        'The documentation site is not built.',
        'Run npm ci and npm run docs in the clone, or read its docs folder. /docs/try has all operations.',
      )
    }
    return new ApiError('NotFound', `There is no page /docs/${path.slice(0, MAX_PATH_LENGTH)}.`, 'See /docs/.')
  }
}
