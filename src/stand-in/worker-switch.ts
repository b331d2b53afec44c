import type { Background } from '../worker/background.ts'

/** The worker of a stand-in, which is stopped while the state is replaced. */
export class WorkerSwitch {
  #open: (() => Promise<Background>) | undefined
  #isWakeRequested = false
  /** Undefined while there is none. */
  current: Background | undefined

  /** Polls for work now, or as soon as there is a worker. */
  wake(): void {
    this.#isWakeRequested = true
    this.current?.wake()
  }

  async start(open: () => Promise<Background>): Promise<void> {
    this.current = await open()
    this.#open = open
    // The demo marketplace may have work.
    if (this.#isWakeRequested) this.current.wake()
  }

  async stop(): Promise<void> {
    const stopped = this.current
    // Commits of earlier requests may still call wake.
    this.current = undefined
    await stopped?.stop()
  }

  /** After a stop. Without effect if there was no start. */
  async restart(): Promise<void> {
    this.current = await this.#open?.()
  }
}
