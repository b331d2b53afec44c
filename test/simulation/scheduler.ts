import { setImmediate } from 'node:timers/promises'
import type { Dependency, Faults } from './faults.ts'

/** An instance of the service, as the scheduler knows it. */
export interface CallOwner {
  readonly name: string
  readonly isDead: boolean
  /** Counts the call. It may be the one at which the instance crashes. */
  takeCrash(call: string): 'before' | 'after' | undefined
  /** Counts the call. It may be the one before which the instance stalls: returns for how many milliseconds. */
  takeStall(call: string, turn: number): number | undefined
  isStalled(turn: number): boolean
  die(): void
  noteFault(): void
}

interface Call {
  owner: CallOwner
  name: string
  start(): Promise<void>
}

export interface CallOptions {
  owner: CallOwner
  dependency: Dependency
  name: string
  outage(): Error
}

export interface SchedulerOptions {
  random: () => number
  faults: Faults
  /** Calls that start in one turn. More than one is not repeatable where calls leave the process. */
  parallelCalls: number
  onTurn(): void
  onStall(milliseconds: number): void
  trace?: ((line: string) => void) | undefined
}

// Continuations of a call run in the same or the next few ticks. With nothing left to start, a few more make sure.
const TICKS = 2
const QUIET_TICKS = 12

/**
 * Decides the order of everything: each call of a dependency waits for its turn, and one turn starts one call. Between
 * two turns the process does nothing else, so the same seed has the same order.
 */
export class Scheduler {
  turn = 0
  crashes = 0
  stalls = 0
  readonly #options: SchedulerOptions
  #waiting: Call[] = []

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** Runs the effect at its turn. Never settles if the instance crashes before it gets the result. */
  call<Result>(options: CallOptions, effect: () => Promise<Result>): Promise<Result> {
    const { owner, name } = options
    return new Promise<Result>((resolve, reject) => {
      if (owner.isDead) return
      const start = () =>
        this.#run(options, effect).then(
          (result) => void (owner.isDead || resolve(result)),
          (error: unknown) => void (owner.isDead || reject(error)),
        )
      this.#waiting.push({ owner, name, start })
    })
  }

  async #run<Result>({ owner, dependency, name, outage }: CallOptions, effect: () => Promise<Result>): Promise<Result> {
    const crash = owner.takeCrash(name)
    if (crash) this.crashes++
    if (crash === 'before') {
      owner.die()
      throw outage()
    }
    const fault = crash ? undefined : this.#options.faults.take(dependency)
    if (fault) owner.noteFault()
    if (fault === 'fail') throw outage()
    const result = await effect()
    if (fault === 'repeat') await effect()
    if (crash === 'after') owner.die()
    if (fault === 'loseResponse') throw outage()
    return result
  }

  /** Starts one waiting call. Returns false if there is none. */
  async runTurn(): Promise<boolean> {
    const { random, parallelCalls, onTurn, onStall, trace } = this.#options
    await ticks(TICKS)
    this.#waiting = this.#waiting.filter(({ owner }) => !owner.isDead)
    for (let quiet = 0; this.#waiting.length === 0 && quiet < QUIET_TICKS; quiet++) await ticks(1)
    if (this.#waiting.length === 0) return false
    this.turn++
    onTurn()
    const started: Promise<void>[] = []
    for (let count = 0; count < parallelCalls && this.#waiting.length > 0; count++) {
      const call = this.#choose(random)
      const stall = call.owner.takeStall(call.name, this.turn)
      if (stall !== undefined) {
        trace?.(`${this.turn} ${call.owner.name} stalls before ${call.name}`)
        this.stalls++
        onStall(stall)
        continue
      }
      this.#waiting.splice(this.#waiting.indexOf(call), 1)
      trace?.(`${this.turn} ${call.owner.name} ${call.name}`)
      started.push(call.start())
    }
    await Promise.all(started)
    return true
  }

  /** One of the calls of instances that run. If all stand still, one of them goes on. */
  #choose(random: () => number): Call {
    const running = this.#waiting.filter(({ owner }) => !owner.isStalled(this.turn))
    const calls = running.length > 0 ? running : this.#waiting
    return calls[Math.floor(random() * calls.length)] as Call
  }
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await setImmediate()
}
