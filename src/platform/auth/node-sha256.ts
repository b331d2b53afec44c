import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'

/** Node's own SHA-256 in the shape that the SigV4 library asks for. */
export class NodeSha256 {
  readonly #hash: Hash | Hmac

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret))
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBytes(chunk))
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): never {
    throw new Error('The digest can be read only once')
  }
}

function toBytes(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data)
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return new Uint8Array(data)
}
