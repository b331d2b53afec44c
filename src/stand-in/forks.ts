import type { ForkCredentials } from '../dev/state/fork-credentials.ts'
import type { Fork } from '../dev/state/public.ts'
import type { StateControl } from '../dev/state/routes.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { ForkFamily, StandIn } from './options.ts'
import type { State, StateCopy } from './state.ts'

const MAX_FORKS = 200

/** Starts a fork. Its number is the only one in its family. */
export type StartFork = (copy: StateCopy, number: number) => Promise<StandIn>

/** Isolated marketplaces in the same process, each with ports of its own. */
export class Forks {
  readonly #start: StartFork
  readonly #running = new Map<string, StandIn>()
  readonly #starting = new Set<Promise<unknown>>()
  #lastNumber = 0
  #isStopping = false
  readonly family: ForkFamily

  constructor(start: StartFork, family: ForkFamily = { running: new Set(), lastNumber: 0 }) {
    this.#start = start
    this.family = family
  }

  async start(copy: StateCopy): Promise<{ id: string; standIn: StandIn }> {
    if (this.#isStopping) throw stopping()
    if (this.family.running.size >= MAX_FORKS) {
      throw new ApiError('InvalidInput', `There are ${MAX_FORKS} forks already.`, 'Stop one first.')
    }
    const place = {}
    this.family.running.add(place)
    const started = this.#startAndRegister(copy, () => this.family.running.delete(place))
    this.#starting.add(started)
    try {
      return await started
    } catch (error) {
      this.family.running.delete(place)
      throw error
    } finally {
      this.#starting.delete(started)
    }
  }

  async #startAndRegister(copy: StateCopy, leave: () => void): Promise<{ id: string; standIn: StandIn }> {
    const standIn = await this.#start(copy, ++this.family.lastNumber)
    if (this.#isStopping) {
      await standIn.stop()
      throw stopping()
    }
    const id = String(++this.#lastNumber)
    const stop = async () => {
      this.#running.delete(id)
      leave()
      await standIn.stop()
    }
    const fork = {
      ...standIn,
      get demoLoadedAt() {
        return standIn.demoLoadedAt
      },
      stop,
      [Symbol.asyncDispose]: stop,
    }
    this.#running.set(id, fork)
    return { id, standIn: fork }
  }

  async list(): Promise<Fork[]> {
    const forks = await Promise.all(
      [...this.#running].map(async ([id, standIn]) => {
        try {
          return [renderFork(id, standIn, await standIn.listCredentials())]
        } catch (error) {
          // One that has stopped meanwhile cannot be read.
          if (this.#running.has(id)) throw error
          return []
        }
      }),
    )
    return forks.flat()
  }

  async stop(id: string): Promise<void> {
    const fork = this.#running.get(id)
    if (!fork) throw new ApiError('NotFound', `There is no fork ${id}.`, 'GET /_souk/forks lists them.')
    await fork.stop()
  }

  /**
   * Stops all forks, also those that are starting. No fork can be started from then on. Rejects with the first error
   * after it has tried all of them.
   */
  async stopAll(): Promise<void> {
    this.#isStopping = true
    await Promise.allSettled(this.#starting)
    const results = await Promise.allSettled([...this.#running.values()].map((fork) => fork.stop()))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
}

const stopping = () =>
  new ApiError('ServiceUnavailable', 'The marketplace is stopping.', 'Start it again, then fork it.')

const renderFork = (id: string, { url, queueUrl }: StandIn, credentials: ForkCredentials): Fork => ({
  id,
  url,
  queueUrl,
  ...credentials,
})

/** What the control plane does with forks. */
export const createForkControl = (
  forks: Forks,
  state: Pick<State, 'copy'>,
): Pick<StateControl, 'listForks' | 'fork' | 'stopFork'> => ({
  listForks: () => forks.list(),
  async fork({ snapshot }) {
    const { id, standIn } = await state.copy(snapshot, (copy) => forks.start(copy))
    return renderFork(id, standIn, standIn.startCredentials)
  },
  stopFork: (id) => forks.stop(id),
})
