import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Clock } from '../../platform/clock/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { actions, type FaultableOperation, type FaultLayer, fitsAction } from './actions.ts'
import { type CallFacts, isHit, isInForce, isSpent, matches } from './matching.ts'
import type { FaultRule, FaultSettings } from './public.ts'

export const MAX_RULES = 1_000
const MAX_HELD = 100_000

/** A job or a message that a rule has postponed, and the rule. */
export type Held = readonly [key: string, ruleId: string]

/** The rules that apply to a call. */
export interface Decision {
  latencies: readonly FaultRule[]
  /** The first matching rule of another kind. */
  fault: FaultRule | undefined
}

const NOTHING: Decision = { latencies: [], fault: undefined }

/** The fault rules of one stand-in, in memory. */
export class FaultRules {
  readonly #clock: Clock
  #rules = new Map<string, FaultRule>()
  readonly #removals = new Map<string, AbortController>()
  readonly #listeners = new Set<() => unknown>()
  readonly #counters = new Set<(rule: FaultRule) => void>()
  readonly #holdListeners = new Set<(held: Held) => void>()
  readonly #letGoListeners = new Set<(key: string) => void>()
  /** What rules have postponed. When its time has come, it is no new call. */
  readonly #held = new BoundedMap<string, string>(MAX_HELD)
  #known: Promise<unknown> = Promise.resolve()
  #waitlessWork = 0
  #lastId = 0
  #active: Record<FaultLayer, boolean> = { request: false, job: false, message: false }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether a layer has rules at all. Where it has none, nothing else is asked. */
  isActive(layer: FaultLayer): boolean {
    return this.#active[layer]
  }

  list(): FaultRule[] {
    return [...this.#rules.values()]
  }

  find(id: string): FaultRule {
    const rule = this.#rules.get(id)
    if (!rule) throw new ApiError('NotFound', `There is no fault rule ${id}.`, 'GET /_souk/faults lists them.')
    return rule
  }

  add(settings: FaultSettings): FaultRule {
    this.#requireRoom(1)
    return this.#add(settings)
  }

  /** Puts the rules of an incident in the place of those that it has. Changes nothing if there is no room. */
  startIncident(incident: string, added: readonly FaultSettings[]): void {
    const own = this.list().filter((rule) => rule.incident === incident)
    this.#requireRoom(added.length, own)
    this.remove(...own.map(({ id }) => id))
    for (const settings of added) this.#add(settings, incident)
  }

  /** Whether a rule can change something: a call to come, or what it keeps from going on. */
  isEffective(rule: FaultRule): boolean {
    const now = this.#clock.now()
    return isInForce(rule, now) && (!isSpent(rule, now) || this.#isHolding(rule))
  }

  #add(settings: FaultSettings, incident?: string): FaultRule {
    const now = this.#clock.now()
    const { forSeconds, ...rest } = settings
    const rule: FaultRule = {
      ...rest,
      id: String(++this.#lastId),
      ...(incident !== undefined && { incident }),
      ...(forSeconds !== undefined && { until: new Date(now.getTime() + forSeconds * 1000).toISOString() }),
      enabled: settings.enabled ?? true,
      createdAt: now.toISOString(),
      calls: 0,
      hits: 0,
    }
    this.#rules.set(rule.id, rule)
    this.#changed()
    return rule
  }

  setEnabled(id: string, enabled: boolean): FaultRule {
    const rule = this.find(id)
    rule.enabled = enabled
    if (!enabled) this.#end(id)
    this.#forgetHeld()
    this.#changed()
    return rule
  }

  remove(...ids: readonly string[]): void {
    for (const id of ids) {
      this.#rules.delete(id)
      this.#end(id)
    }
    this.#forgetHeld()
    this.#changed()
  }

  clear(): void {
    this.remove(...this.#rules.keys(), ...this.#removals.keys())
  }

  /** Aborts when the rule is removed or disabled, or when waits must end. Is aborted if that is over already. */
  signalOf({ id }: FaultRule): AbortSignal {
    if (this.#waitlessWork > 0 || !this.#rules.get(id)?.enabled) return AbortSignal.abort()
    const controller = this.#removals.get(id) ?? new AbortController()
    this.#removals.set(id, controller)
    return controller.signal
  }

  /** Runs work that needs running requests to end: no request waits for a rule until it is over. */
  async withoutWaits<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waitlessWork++
    for (const id of this.#removals.keys()) this.#end(id)
    try {
      return await work()
    } finally {
      this.#waitlessWork--
    }
  }

  /** Whether a rule that was in force still is. */
  isInForce({ id }: FaultRule): boolean {
    const rule = this.#rules.get(id)
    return rule !== undefined && isInForce(rule, this.#clock.now())
  }

  hold(key: string, { id }: FaultRule): void {
    this.#held.set(key, id)
    for (const listener of this.#holdListeners) listener([key, id])
  }

  isHeld(key: string): boolean {
    return this.#held.get(key) !== undefined
  }

  /** The rule by which a job is stuck, if it still is. */
  holderOf(job: string): FaultRule | undefined {
    const rule = this.#rules.get(this.#held.get(job) ?? '')
    if (rule && isInForce(rule, this.#clock.now())) return rule
    this.letGo(job)
    return undefined
  }

  /** Work that is no longer postponed, because its rule or the work itself is over. */
  letGo(key: string): void {
    if (!this.isHeld(key)) return
    this.#held.delete(key)
    for (const listener of this.#letGoListeners) listener(key)
  }

  /** The rules by which jobs are stuck. */
  listHolders(): FaultRule[] {
    const ids = new Set(this.#held.values())
    return this.list().filter(({ id, action }) => action.kind === 'stuck' && ids.has(id))
  }

  get held(): Held[] {
    return [...this.#held.entries()]
  }

  /** Finds the rules for a call and counts it. A rule without operations is about those that its action fits. */
  decide(layer: FaultLayer, facts: CallFacts, operation?: FaultableOperation): Decision {
    if (!this.#active[layer]) return NOTHING
    const now = this.#clock.now()
    const latencies: FaultRule[] = []
    let fault: FaultRule | undefined
    for (const rule of this.#rules.values()) {
      const { action } = rule
      if (actions[action.kind].layer !== layer || !isInForce(rule, now)) continue
      if (operation && !fitsAction(action, operation)) continue
      if (!matches(rule.match ?? {}, facts)) continue
      rule.calls++
      const isLatency = rule.action.kind === 'latency'
      if (isHit(rule) && (isLatency || !fault)) {
        rule.hits++
        if (isLatency) latencies.push(rule)
        else fault = rule
      }
      for (const count of this.#counters) count(rule)
    }
    return { latencies, fault }
  }

  /** Calls back after each change of the rules. Returns a function that unsubscribes. */
  onChange(listener: () => unknown): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves when what the listeners did about the last change is done: then no work follows the rules before. */
  async whenKnown(): Promise<void> {
    await this.#known
  }

  /** Calls back with each rule that has counted a call. */
  onCount(listener: (rule: FaultRule) => void): void {
    this.#counters.add(listener)
  }

  /** Calls back with each job and message that a rule has postponed. */
  onHold(listener: (held: Held) => void): void {
    this.#holdListeners.add(listener)
  }

  /** Calls back with what a rule postpones no longer. */
  onLetGo(listener: (key: string) => void): void {
    this.#letGoListeners.add(listener)
  }

  /** Takes over the rules of another thread. The counts of a rule that is here already are kept. */
  load(rules: readonly FaultRule[], held: readonly Held[] = []): void {
    const withCounts = rules.map((rule) => {
      const { calls, hits } = this.#rules.get(rule.id) ?? rule
      return [rule.id, { ...rule, calls, hits }] as const
    })
    this.#rules = new Map(withCounts)
    for (const one of held) this.loadHeld(one)
    this.#forgetHeld()
    this.#changed()
  }

  /** Takes over the counts of a rule from another thread. */
  loadCounts({ id, calls, hits }: FaultRule): void {
    const rule = this.#rules.get(id)
    if (rule) Object.assign(rule, { calls, hits })
  }

  /** Takes over what a rule has postponed from another thread. The rule may be gone by now. */
  loadHeld([key, ruleId]: Held): void {
    if (this.#rules.has(ruleId)) this.#held.set(key, ruleId)
  }

  /** Rules that can never hit again make room, the oldest first: tests often leave them behind. */
  #requireRoom(added: number, replaced: readonly FaultRule[] = []): void {
    const kept = this.list().filter((rule) => !replaced.includes(rule))
    const tooMany = kept.length + added - MAX_RULES
    if (tooMany <= 0) return
    const now = this.#clock.now()
    const spent = kept.filter((rule) => isSpent(rule, now) && !this.isEffective(rule))
    if (spent.length < tooMany) {
      throw new ApiError('InvalidInput', `There are ${MAX_RULES} fault rules already.`, 'Remove one first.')
    }
    // Requests that wait because of them go on waiting.
    for (const { id } of spent.slice(0, tooMany)) this.#rules.delete(id)
    this.#forgetHeld()
  }

  /** Whether work is stuck by it. */
  #isHolding(rule: FaultRule): boolean {
    return this.listHolders().some(({ id }) => id === rule.id)
  }

  /** Of rules that are gone or disabled. */
  #forgetHeld(): void {
    for (const [key, ruleId] of this.held) if (!this.#rules.get(ruleId)?.enabled) this.#held.delete(key)
  }

  #end(id: string): void {
    this.#removals.get(id)?.abort()
    this.#removals.delete(id)
  }

  #changed(): void {
    const enabled = this.list().filter((rule) => rule.enabled)
    const has = (layer: FaultLayer) => enabled.some(({ action }) => actions[action.kind].layer === layer)
    this.#active = { request: has('request'), job: has('job'), message: has('message') }
    this.#known = Promise.all([...this.#listeners].map((listener) => listener()))
  }
}
