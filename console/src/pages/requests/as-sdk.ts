import type { RequestDetail } from '../../api/request-log.ts'
import { literal } from './as-code.ts'
import { SDK_OPERATIONS, type SdkOperation, type SdkParameter } from './sdk-operations.ts'

const PACKAGE = '@amazon-sp-api-release/amazon-sp-api-sdk-js'

type Sent = Pick<RequestDetail, 'operation' | 'method' | 'path' | 'query' | 'request'>

/** The request as a call of the vendor's JavaScript SDK, or undefined if the SDK cannot send it. */
export function asSdk(sent: Sent, origin: string): string | undefined {
  const operation = SDK_OPERATIONS.get(sent.operation)
  const given = operation && readParameters(operation, sent)
  if (!given) return undefined
  const { namespace, className, method, parameters } = operation
  const required = parameters.filter(({ isOption }) => !isOption).map(({ name }) => given.get(name))
  if (required.includes(undefined)) return undefined
  const options = parameters
    .filter(({ name, isOption }) => isOption && given.has(name))
    .map(({ name }) => `  ${name}: ${given.get(name)},\n`)
  const values = [...required, ...(options.length > 0 ? [`{\n${options.join('')}}`] : [])]
  return [
    `import { ${namespace} } from '${PACKAGE}'\n`,
    '\n',
    `const client = new ${namespace}.ApiClient(${literal(origin)})\n`,
    'client.applyXAmzAccessTokenToRequest(process.env.ACCESS_TOKEN)\n',
    `const api = new ${namespace}.${className}(client)\n`,
    `const result = await api.${method}(${values.join(', ')})\n`,
    'console.log(result)\n',
  ].join('')
}

/** The parameters as code, or undefined if the request has some that the SDK does not know. */
function readParameters({ path, parameters }: SdkOperation, sent: Sent): Map<string, string> | undefined {
  const given = readPath(path, sent.path)
  const body = readBody(sent.request.body)
  if (!given || body === 'unreadable') return undefined
  if (body !== undefined && parameters.some(({ name }) => name === 'body')) given.set('body', body)
  const query = new URLSearchParams(sent.query ?? '')
  for (const name of new Set(query.keys())) {
    const parameter = parameters.find((one) => one.name === nameInSdk(name))
    if (!parameter) return undefined
    given.set(parameter.name, codeOf(parameter, query.getAll(name)))
  }
  return given
}

/** The SDK begins all names with a small letter. */
const nameInSdk = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

function codeOf({ isList }: SdkParameter, values: readonly string[]): string {
  if (!isList) return literal(values.join(','))
  const list = values.flatMap((value) => value.split(','))
  return `[${list.map(literal).join(', ')}]`
}

function readPath(template: string, path: string): Map<string, string> | undefined {
  const parts = path.split('/')
  const places = template.split('/')
  if (parts.length !== places.length) return undefined
  try {
    return new Map(
      places.flatMap((place, index) =>
        place.startsWith('{')
          ? [[nameInSdk(place.slice(1, -1)), literal(decodeURIComponent(parts[index] ?? ''))] as const]
          : [],
      ),
    )
  } catch {
    return undefined
  }
}

function readBody(body: string | undefined): string | undefined {
  if (!body) return undefined
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return 'unreadable'
  }
}
