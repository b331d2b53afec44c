import { type AwsSettings, type Credentials, clientSettings } from './aws.ts'

interface RegionClient {
  config: { credentials: Credentials }
  destroy(): void
}

interface Entry<Client> {
  client: Client
  calls: number
  /** Whether a call has succeeded. Tenants choose regions, and may invent them. */
  isProven: boolean
  isKept: boolean
}

// More than AWS has regions.
export const MAX_KEPT_CLIENTS = 50

/**
 * The clients of a service of AWS, one for each region. They share the credentials of the first one that succeeds.
 * Those of regions in which nothing succeeds do not displace the others.
 */
export class RegionClients<Client extends RegionClient> {
  readonly #settings: AwsSettings
  readonly #open: (settings: ReturnType<typeof clientSettings>) => Client
  /** Least recently used first. */
  readonly #kept = new Map<string, Entry<Client>>()
  #credentials: Credentials | undefined

  constructor(settings: AwsSettings, open: (settings: ReturnType<typeof clientSettings>) => Client) {
    this.#settings = settings
    this.#open = open
    this.#credentials = settings.credentials
  }

  async use<Result>(region: string, call: (client: Client) => Promise<Result>): Promise<Result> {
    const entry = this.#take(region)
    entry.calls++
    try {
      const result = await call(entry.client)
      entry.isProven = true
      // A provider that remembers what it found. It asks STS in the region of its client, which may not exist.
      this.#credentials ??= entry.client.config.credentials
      return result
    } finally {
      entry.calls--
      if (!entry.isKept && entry.calls === 0) entry.client.destroy()
    }
  }

  close(): void {
    for (const { client } of this.#kept.values()) client.destroy()
  }

  #take(region: string): Entry<Client> {
    const entry = this.#kept.get(region) ?? this.#create(region)
    this.#kept.delete(region)
    this.#kept.set(region, entry)
    if (this.#kept.size > MAX_KEPT_CLIENTS) this.#dropOne(entry)
    return entry
  }

  #create(region: string): Entry<Client> {
    const credentials = this.#credentials
    const client = this.#open(clientSettings({ ...this.#settings, ...(credentials && { credentials }) }, region))
    return { client, calls: 0, isProven: false, isKept: true }
  }

  /** The client that is taken is destroyed after its call at the earliest. */
  #dropOne(taken: Entry<Client>): void {
    const entries = [...this.#kept]
    const [region, dropped] = entries.find(([, { isProven }]) => !isProven) ?? (entries[0] as (typeof entries)[number])
    this.#kept.delete(region)
    dropped.isKept = false
    if (dropped !== taken && dropped.calls === 0) dropped.client.destroy()
  }
}
