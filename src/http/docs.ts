import { extname } from 'node:path'
import { addOpenApiViewer } from './openapi.ts'
import type { App } from './route.ts'
import { createStaticFiles } from './static-files.ts'

export interface DocsOptions {
  version: string
  /** The folder of the built site, which `npm run docs` writes. */
  folder: string
  /** Whether the viewer offers the operations of the control plane. */
  hasControlPlane: boolean
  /** Where `/` redirects to. Default: `/docs/`. */
  home?: string
}

/** No dot but that of the extension, so no path leaves the folder. */
const SITE_PATH = /^(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.(?:css|js|json|png|svg))?$/

const PAGE_POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src'].map((directive) => `${directive} 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((directive) => `${directive} 'none'`),
].join('; ')

const page = { config: { access: 'public' }, schema: { hide: true } } as const

const folderOf = (path: string) => path.replace(/\/$/, '')

/** Serves the site at `/docs/`, and the OpenAPI document with its viewer at `/docs/try`. Add it before any route. */
export function addDocs(app: App, { version, folder, hasControlPlane, home = '/docs/' }: DocsOptions): void {
  const files = createStaticFiles({
    version,
    folder,
    prefix: '/docs/',
    pattern: SITE_PATH,
    notBuilt: {
      message: 'The documentation site is not built.',
      details: 'Run npm ci and npm run docs in the clone, or read its docs folder. /docs/try has all operations.',
    },
  })
  app.get('/', page, async (_request, reply) => reply.redirect(home))
  // With a slash at the end, because links between pages are relative.
  app.get('/docs', page, async (_request, reply) => reply.redirect('/docs/'))
  app.route<{ Params: { '*': string } }>({
    ...page,
    method: ['GET', 'HEAD'],
    url: '/docs/*',
    handler: async (request, reply) => {
      const path = request.params['*'] || 'index'
      const found = await files.find(path, extname(path) ? '' : '.html').catch(async (error: unknown) => {
        if (!(await hasReadme(folderOf(path)))) throw error
      })
      if (!found) return reply.redirect(`/docs/${folderOf(path)}/readme`)
      return files.send(found, request, reply, {
        'content-security-policy': PAGE_POLICY,
        'cache-control': 'no-cache',
      })
    },
  })
  addOpenApiViewer(app, '/docs/try', { hasControlPlane, page })

  async function hasReadme(folder: string): Promise<boolean> {
    return files.find(`${folder}/readme`, '.html').then(
      () => true,
      () => false,
    )
  }
}
