import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
// Each id has a key of its own, which encrypts one text, so the nonce need not differ.
const NONCE = Buffer.alloc(12)

/** Encrypts what must lie in the database for a while, but not in clear. */
export class Sealer {
  /** The first secret seals; what any of them sealed can be opened. */
  readonly #masterSecrets: readonly [string, ...string[]]

  constructor({ masterSecret, fallbackSecrets }: { masterSecret: string; fallbackSecrets: readonly string[] }) {
    this.#masterSecrets = [masterSecret, ...fallbackSecrets]
  }

  /** The id must be unique: one text per id. */
  seal(id: string, text: string): string {
    const cipher = createCipheriv(CIPHER, keyOf(this.#masterSecrets[0], id), NONCE)
    return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
  }

  /** Returns undefined if it was sealed with another id or with a secret that is no longer configured. */
  open(id: string, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < TAG_BYTES) return undefined
    for (const masterSecret of this.#masterSecrets) {
      const decipher = createDecipheriv(CIPHER, keyOf(masterSecret, id), NONCE)
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        // The next secret may be the right one.
      }
    }
    return undefined
  }
}

const keyOf = (masterSecret: string, id: string) =>
  Buffer.from(hkdfSync('sha256', masterSecret, 'souk sealed payload', id, 32))
