import type { Transform } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'

const CHUNKS = Symbol('chunks')

type Gzip = Transform & { [CHUNKS]?: Buffer[] }

// Node.js compresses in another thread, which is done at a random time. From now on it is done in this one, at the end.
const prototype = Object.getPrototypeOf(createGzip()) as Transform

prototype._transform = function (this: Gzip, chunk: Buffer, _encoding, done) {
  this[CHUNKS] ??= []
  this[CHUNKS].push(chunk)
  done()
}

prototype._flush = function (this: Gzip, done) {
  done(null, gzipSync(Buffer.concat(this[CHUNKS] ?? [])))
}
