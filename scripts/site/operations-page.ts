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

/** Every operation with its rate, as Markdown, from the OpenAPI document. */
export function operationsPage({ paths }: OpenApiDocument): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = Map.groupBy(rows, ({ operation }) => operation.tags[0] as string)
  const tables = [...groups].map(([tag, group]) =>
    [`## ${titleOf(tag)}`, '', HEAD, ...group.map((row) => renderRow(tag, row))].join('\n'),
  )
  return [INTRODUCTION, ...tables, ''].join('\n\n')
}

const INTRODUCTION = `# Operations

All operations of Souk, generated from its OpenAPI document. The name of an operation leads to a page that can send a request.

The rate is in requests per second, and the burst is the size of the token bucket. Each operation has a bucket per
application and seller. An operation without a rate has no quota, except that the
[token endpoint limits each client](configuration.md#quotas).`

const HEAD = '| Operation | Request | Rate | Burst | Access | Purpose |\n| --- | --- | ---: | ---: | --- | --- |'

interface Row {
  method: string
  path: string
  operation: Operation
}

function renderRow(tag: string, { method, path, operation }: Row): string {
  const { operationId, summary, security, 'x-rate-limit': rate } = operation
  const cells = [
    `[${operationId}](try#/${tag}/${operationId})`,
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
