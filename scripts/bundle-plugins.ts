// What the bundle changes in the code that it contains, so that a process loads less.
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import type { Plugin } from 'rolldown'

const require = createRequire(import.meta.url)

/** Modules of Node.js that a start of the stand-in does not use, though code that it loads imports them. */
const ON_DEMAND = ['http2', 'https', 'tls', 'zlib']

/** Of all exports, functions only: their callers cannot tell when the module is loaded. */
export const builtInsOnDemand: Plugin = {
  name: 'built-ins-on-demand',
  resolveId(id, importer, { kind }) {
    const name = id.replace(/^node:/, '')
    if (!ON_DEMAND.includes(name) || isForOlderNode(importer)) return undefined
    // Of each importer its own: a shared one would have the files of the bundle load each other. Not a number: the order of
    // importers differs from build to build, and a process that runs needs the chunks by their names after a new build, too.
    const owner = createHash('sha256')
      .update(relative(process.cwd(), importer ?? ''))
      .digest('hex')
      .slice(0, 8)
    return `\0on-demand:${kind === 'require-call' ? 'required' : 'imported'}:${name}:${owner}`
  },
  load(id) {
    const [, kind, name] = /^\0on-demand:(\w+):(\w+):/.exec(id) ?? []
    if (!name) return undefined
    const load = `const load = () => process.getBuiltinModule('node:${name}')`
    const whole = 'new Proxy({}, { get: (_, name) => load()[name] })'
    if (kind === 'required') return `${load}\nmodule.exports = ${whole}`
    const isCallable = ([key, { value }]: [string, PropertyDescriptor]) =>
      typeof value === 'function' && /^[a-z]/.test(key)
    const functions = Object.entries(Object.getOwnPropertyDescriptors(require(name))).filter(isCallable)
    return [
      load,
      `export default ${whole}`,
      ...functions.map(([key]) => `export const ${key} = (...args) => load().${key}(...args)`),
    ].join('\n')
  },
}

/**
 * An import of a module of Node.js reads all that it exports, and some exports load more: a WebSocket client, for
 * example.
 */
export const builtInsWithoutFacade: Plugin = {
  name: 'built-ins-without-facade',
  renderChunk(code, { moduleIds }) {
    if (moduleIds.some(isForOlderNode)) return null
    // Line by line, so that the source map stays right.
    return { code: code.replace(/^import (.+) from "(node:[^"]+)";$/gm, (_, names, id) => bind(names, id)), map: null }
  },
}

/** `fs, { rm as remove }` to constants. */
function bind(names: string, id: string): string {
  const whole = `process.getBuiltinModule("${id}")`
  const [, module, exported] = /^(?:\* as )?([\w$]+)?(?:, )?(\{.*\})?$/.exec(names) ?? []
  if (!module && !exported) throw new Error(`Cannot bind ${names} of ${id}`)
  const parts = [
    module && `${module} = ${whole}`,
    exported && `${exported.replaceAll(' as ', ': ')} = ${module ?? whole}`,
  ]
  return `const ${parts.filter(Boolean).join(', ')};`
}

/** Programs that run with an older Node.js may load the redirect. */
const isForOlderNode = (id: string | undefined) =>
  /[\\/]src[\\/](redirect[\\/]|platform[\\/]vendor-hosts\.ts)/.test(id ?? '')

/**
 * What bundled packages require for features that Souk does not use: their own compilers of schemas, and logging in
 * threads.
 */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'thread-stream']

export const withoutUnused: Plugin = {
  name: 'without-unused',
  resolveId: (id) => (UNUSED.includes(id) ? `\0unused:${id}` : undefined),
  load(id) {
    const [, name] = /^\0unused:(.+)$/.exec(id) ?? []
    return name && `module.exports = function () { throw new Error('Souk is built without ${name}') }`
  },
}
