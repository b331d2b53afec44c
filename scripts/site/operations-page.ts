interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, unknown>[]
  'x-rate-limit'?: { perSecond: number; burst: number }
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
}

/** Every operation with its rate, as Markdown, from the OpenAPI documents of the API and of the control plane. */
export function operationsPage(api: OpenApiDocument, controlPlane: OpenApiDocument): string {
  const rows = [...rowsOf(api, 'try'), ...rowsOf(controlPlane, 'try?urls.primaryName=Control%20plane')]
  const groups = Map.groupBy(rows, ({ operation }) => operation.tags[0] as string)
  const tables = [...groups].map(([tag, group]) =>
    [`## ${titleOf(tag)}`, '', HEAD, ...group.map((row) => renderRow(tag, row))].join('\n'),
  )
  return [INTRODUCTION, ...tables, ''].join('\n\n')
}

const INTRODUCTION = `# Operations

All operations of Souk, generated from its OpenAPI documents. The name of an operation leads to a page that can send a request.

The rate is in requests per second, and the burst is the size of the token bucket. Each operation has a bucket per
application and seller. An operation without a rate has no quota, except that the
[token endpoint limits each client](configuration.md#quotas).`

const HEAD = '| Operation | Request | Rate | Burst | Access | Purpose |\n| --- | --- | ---: | ---: | --- | --- |'

const rowsOf = ({ paths }: OpenApiDocument, viewer: string): Row[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ viewer, method, path, operation })),
  )

interface Row {
  viewer: string
  method: string
  path: string
  operation: Operation
}

function renderRow(tag: string, { viewer, method, path, operation }: Row): string {
  const { operationId, summary, security, 'x-rate-limit': rate } = operation
  const cells = [
    `[${operationId}](${viewer}#/${tag}/${operationId})`,
    `\`${method.toUpperCase()} ${path}\``,
    rate?.perSecond ?? '',
    rate?.burst ?? '',
    accessOf(security),
    summary,
  ]
  return `| ${cells.join(' | ')} |`
}

const titleOf = (tag: string) => tag.charAt(0).toUpperCase() + tag.slice(1)

function accessOf([scheme]: Operation['security']): string {
  if (!scheme) return 'public'
  return 'operatorKey' in scheme ? 'operator key' : 'access token'
}
