import { readdirSync, readFileSync } from 'node:fs'
import { unservedOperations } from '../src/http/unserved-operations.ts'
import { readBaseline } from '../test/models/baseline.ts'
import { differences } from '../test/models/differences.ts'

interface Operation {
  api: string
  name: string
  method: string
  path: string
  /** Absent if Souk does not serve the operation. */
  served?: { rate?: { perSecond: number; burst: number } }
}

interface Documented {
  operationId: string
  tags: readonly string[]
  'x-rate-limit'?: { perSecond: number; burst: number }
}

/** The tags of the OpenAPI document that are APIs of the public interface, and their names. */
const APIS: Record<string, string> = {
  tokens: 'Tokens',
  sellers: 'Sellers',
  orders: 'Orders',
  solicitations: 'Solicitations',
  reports: 'Reports',
  feeds: 'Feeds',
  listings: 'Listings Items',
  restrictions: 'Listings Restrictions',
  catalog: 'Catalog Items',
  definitions: 'Product Type Definitions',
  pricing: 'Product Pricing',
  uploads: 'Uploads',
  notifications: 'Notifications',
  applications: 'Application Management',
}

/** The clients of the tests in `test/clients`, by the beginning of their file names. */
const CLIENTS: Record<string, string> = {
  'vendor-sdk': 'vendor SDK',
  'amazon-sp-api': 'amazon-sp-api',
  'sp-api-sdk': '@sp-api-sdk',
  scaleleap: '@scaleleap',
  python: 'python-amazon-sp-api',
}

const HEADER = `# Coverage

The operations of the public Selling Partner API, and what Souk does with each. \`npm run coverage-page\` writes this page.

- **Rate** and **Burst**: the quota per application and seller, in requests per second.
- **Clients**: public clients whose tests call the operation.
- **Checks**: how many checks against the public models pass: the route, each parameter, generated valid and invalid
  requests, the examples of the static sandbox, the quota ([how](../CONTRIBUTING.md#the-public-models)). Empty for operations that
  the models do not have.
- **Differs**: numbers of the [differences](#differences) below.

A request to an operation that is not served gets 404 with the name of the operation.
`

/** The text of docs/coverage.md, from the routes and the tests alone. */
export function coveragePage(): string {
  const operations = [...servedOperations(), ...unservedOperations]
  const apis = [...new Set([...Object.values(APIS), ...operations.map(({ api }) => api)])]
  const reasons = [...new Set(differences.map(({ reason }) => reason))]
  const served = operations.filter((operation) => isServed(operation))
  const sections = apis.map((api) =>
    formatApi(
      api,
      operations.filter((one) => one.api === api),
      reasons,
    ),
  )
  const total = `${served.length} operations are served, ${operations.length - served.length} are not.`
  const list = reasons.map((reason, index) => `${index + 1}. ${reason}`)
  return [HEADER, total, '', ...sections.filter(Boolean), '## Differences', '', ...list, ''].join('\n')
}

const isServed = (operation: Operation) => operation.served !== undefined

function servedOperations(): Operation[] {
  const document = readFileSync(new URL('../openapi/openapi.json', import.meta.url), 'utf8')
  const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, Documented>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, tags, 'x-rate-limit': rate }]) => {
      const api = APIS[tags[0] ?? '']
      if (!api || path.startsWith('/console/')) return []
      return [{ api, name: operationId, method: method.toUpperCase(), path, served: { ...(rate && { rate }) } }]
    }),
  )
}

function formatApi(api: string, operations: readonly Operation[], reasons: readonly string[]): string {
  if (operations.length === 0) return ''
  const title = `## ${api}\n`
  if (!operations.some(isServed)) {
    const rows = operations.map(({ name, method, path }) => `| ${name} | \`${method} ${path}\` |`)
    return [title, 'Not served.', '', '| Operation | Request |', '| --- | --- |', ...rows, ''].join('\n')
  }
  const columns = ['Operation', 'Request', 'Served', 'Rate', 'Burst', 'Clients', 'Checks', 'Differs']
  const rows = operations.map((operation) => formatOperation(operation, reasons))
  return [title, row(columns), row(columns.map(() => '---')), ...rows, ''].join('\n')
}

function formatOperation({ name, method, path, served }: Operation, reasons: readonly string[]): string {
  const request = `\`${method} ${path}\``
  if (!served) return row([name, request, 'no', '', '', '', '', ''])
  const { perSecond = '', burst = '' } = served.rate ?? {}
  const differs = differences
    .filter(({ operations }) => operations.includes(name))
    .map(({ reason }) => reasons.indexOf(reason) + 1)
  const numbers = [...new Set(differs)].sort((a, b) => a - b).join(', ')
  return row([name, request, 'yes', perSecond, burst, clientsOf(name).join(', '), checksOf(name), numbers])
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

const baseline = readBaseline()
function checksOf(name: string): string {
  const counts = Object.values(baseline[name] ?? {})
  return counts.length === 0 ? '' : String(counts.reduce((sum, count) => sum + count, 0))
}

const folder = new URL('../test/clients/', import.meta.url)
const clientTests = readdirSync(folder)
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }))

/** A client calls an operation by a method of its name, or names it in a text. */
function clientsOf(name: string): string[] {
  const call = new RegExp(`[.'"]${name}(WithHttpInfo)?\\b`)
  return Object.entries(CLIENTS)
    .filter(([prefix]) => clientTests.some(({ file, text }) => file.startsWith(prefix) && call.test(text)))
    .map(([, client]) => client)
}
