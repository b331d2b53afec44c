import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import type { FastifyApp } from '../http/route.ts'
import { SequentialIds } from '../platform/ids/sequential-ids.ts'
import { createPageRoutes } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'souk-pages-'))
writeFileSync(join(folder, 'index.html'), '<html></html>')
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  [undefined, "connect-src 'self';"],
  ['https://documents.s3.eu-west-1.amazonaws.com', "connect-src 'self' https://documents.s3.eu-west-1.amazonaws.com;"],
])('a page may connect to the service and to the storage of documents: %s', async (origin, directive) => {
  const app = fastify() as unknown as FastifyApp
  createPageRoutes({ ids: new SequentialIds(), version: '1.0.0', folder, documentOrigin: async () => origin })(app)
  const { headers } = await app.inject({ url: '/console/' })
  expect(headers['content-security-policy']).toContain(directive)
})
