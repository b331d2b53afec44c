import type { Progress } from './public.ts'

export interface ProgressTask {
  report(done: number, message?: string): void
  /** Also if the work failed. */
  end(): void
}

/** Long work of this process reports here. Keeps the latest state only, however often it changes. */
export class ProgressBoard {
  readonly #tasks = new Map<string, Progress>()
  #lastNumber = 0

  start(task: string, { total, message }: Omit<Progress, 'task' | 'done'> = {}): ProgressTask {
    const number = ++this.#lastNumber
    const name = this.#tasks.has(task) ? `${task} ${number}` : task
    const report: ProgressTask['report'] = (done, latest = message) => {
      this.#tasks.set(name, {
        task: name,
        done,
        ...(total !== undefined && { total }),
        ...(latest !== undefined && { message: latest }),
      })
    }
    report(0)
    return { report, end: () => void this.#tasks.delete(name) }
  }

  list(): Progress[] {
    return [...this.#tasks.values()]
  }
}
