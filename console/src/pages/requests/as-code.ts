import { type RequestDetail, urlOf } from '../../api/request-log.ts'

/** How the log writes what it does not reveal. */
const REDACTED = '[redacted]'

type Sent = Pick<RequestDetail, 'method' | 'path' | 'query' | 'request'>

// What a client sets by itself, for one connection or one body.
const OF_THE_CLIENT =
  /^(host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|user-agent|expect|cookie|sec-.*|proxy-.*)$/

export const hasSecret = (text: string | undefined): boolean => text?.includes(REDACTED) ?? false

/** The request as a command of a shell. Secrets become variables. */
export function asCurl(sent: Sent, origin: string): string {
  const { method, request } = sent
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quote(origin + urlOf(sent))}`]
  for (const { name, value, variable } of headersOf(sent)) {
    lines.push(variable ? `  -H "${name}: $${variable}"` : `  -H ${quote(`${name}: ${value}`)}`)
  }
  if (request.body !== undefined) lines.push(`  --data-raw ${quote(request.body)}`)
  return lines.join(' \\\n')
}

/** The request as a module of JavaScript. Secrets come from the environment. */
export function asFetch(sent: Sent, origin: string): string {
  const { method, request } = sent
  const headers = headersOf(sent).map(
    ({ name, value, variable }) =>
      `    ${literal(name)}: ${variable ? `process.env.${variable} ?? ''` : literal(value)},\n`,
  )
  const body = request.body === undefined ? '' : `  body: ${bodyLiteral(request.body)},\n`
  return [
    `const response = await fetch(${literal(origin + urlOf(sent))}, {\n`,
    `  method: ${literal(method)},\n`,
    headers.length > 0 ? `  headers: {\n${headers.join('')}  },\n` : '',
    body,
    '})\n',
    'console.log(response.status, await response.text())\n',
  ].join('')
}

function headersOf({ request }: Sent): { name: string; value: string; variable?: string }[] {
  return Object.entries(request.headers)
    .filter(([name]) => !OF_THE_CLIENT.test(name.toLowerCase()))
    .map(([name, value]) => (hasSecret(value) ? { name, value, variable: variableOf(name) } : { name, value }))
}

/** `x-amz-access-token` to `ACCESS_TOKEN`. */
const variableOf = (header: string) =>
  header
    .replace(/^x-amz-/i, '')
    .replaceAll('-', '_')
    .toUpperCase()

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A text as a literal of JavaScript. */
export const literal = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) && !/['\\]/.test(text) ? `'${text}'` : JSON.stringify(text)

function bodyLiteral(body: string): string {
  try {
    const indented = JSON.stringify(JSON.parse(body), null, 2).replaceAll('\n', '\n  ')
    return `JSON.stringify(${indented})`
  } catch {
    return literal(body)
  }
}
