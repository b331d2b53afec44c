import type { RouteOptions } from 'fastify'
import type { App } from './route.ts'
import type { Step } from './run-hooks.ts'

/** The hooks that run for requests, in their order. */
export const REQUEST_HOOKS = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend', 'onResponse'] as const
export type RequestHook = (typeof REQUEST_HOOKS)[number]

/** Lists of hooks that are not empty. */
export type Hooks = Partial<Record<RequestHook, Step[]>>

/** What a marketplace runs for the requests of a route. */
export interface RouteSteps extends Hooks {
  handler: Step
}

/** A route without its handler and its hooks. */
export type PlannedRoute = Omit<RouteOptions, RequestHook | 'handler'>

export interface PlanOptions {
  /** Addresses and networks of reverse proxies. */
  trustedProxies: readonly string[]
  /** The version in the OpenAPI document; undefined without documentation. */
  docsVersion: string | undefined
}

/** What a framework is built from, and marketplaces with the same options have in common. */
export interface Plan extends PlanOptions {
  decorations: [name: string, value: unknown][]
  /** The hooks that requests without a route have. */
  hooks: RequestHook[]
  routes: (PlannedRoute & { hooks: RequestHook[] })[]
}

type OnRoute = (route: RouteOptions) => void
type OnClose = () => Promise<void>

/** Collects what a marketplace registers, and runs the hooks that change a route when it is registered. */
export class Registration {
  readonly app: App
  readonly #options: PlanOptions
  readonly #decorations: Plan['decorations'] = []
  readonly #hooks: Hooks = {}
  readonly #routes: { planned: PlannedRoute; steps: RouteSteps }[] = []
  readonly #onRoute: OnRoute[] = []
  readonly #preClose: OnClose[] = []
  readonly #onClose: OnClose[] = []

  constructor(options: PlanOptions, shared: Pick<App, 'server' | 'openApiDocument'>) {
    this.#options = options
    const withMethod = (method: string) => (url: string, route: RouteOptions, handler: RouteOptions['handler']) =>
      this.#addRoute({ ...route, method, url, handler } as RouteOptions)
    this.app = {
      ...shared,
      get: withMethod('GET'),
      post: withMethod('POST'),
      put: withMethod('PUT'),
      patch: withMethod('PATCH'),
      delete: withMethod('DELETE'),
      route: (route: RouteOptions) => this.#addRoute({ ...route }),
      decorateRequest: (name: string, value: unknown) => this.#decorations.push([name, value]),
      addHook: (name: string, hook: unknown) => this.#addHook(name, hook),
    } as unknown as App
  }

  /**
   * What the framework is built from, and what it runs. The hooks of all routes are before those of one. To be called
   * once.
   */
  finish(): { plan: Plan; hooks: Hooks; routes: readonly RouteSteps[] } {
    // Emptied, because some handlers keep the app, and schemas are as large as the rest of a fork.
    const registered = this.#routes.splice(0)
    this.#onRoute.length = 0
    for (const { steps } of registered) joinHooks(this.#hooks, steps)
    const plan: Plan = {
      ...this.#options,
      decorations: this.#decorations,
      hooks: namesOf(this.#hooks),
      routes: registered.map(({ planned, steps }) => Object.assign(planned, { hooks: namesOf(steps) })),
    }
    return { plan, hooks: this.#hooks, routes: registered.map(({ steps }) => steps) }
  }

  /** To be called before the server stops accepting connections. */
  async beforeClose(): Promise<void> {
    for (const hook of this.#preClose) await hook()
  }

  /** To be called after the last response. */
  async afterClose(): Promise<void> {
    for (const hook of this.#onClose) await hook()
  }

  #addHook(name: string, hook: unknown): void {
    if (name === 'onRoute') this.#onRoute.push(hook as OnRoute)
    else if (name === 'preClose') this.#preClose.push(hook as OnClose)
    else if (name === 'onClose') this.#onClose.push(hook as OnClose)
    else this.#addRequestHook(name, hook as Step)
  }

  #addRequestHook(name: string, hook: Step): void {
    const known = REQUEST_HOOKS.find((one) => one === name)
    if (!known) throw new Error(`The hook ${name} is not supported`)
    this.#hooks[known] = [...(this.#hooks[known] ?? []), hook]
  }

  #addRoute(route: RouteOptions): void {
    for (const hook of this.#onRoute) hook(route)
    const { handler, onRequest, preParsing, preValidation, preHandler, onSend, onResponse, ...planned } = route
    const hooks = { onRequest, preParsing, preValidation, preHandler, onSend, onResponse }
    const steps: RouteSteps = { handler: handler as Step }
    for (const name of REQUEST_HOOKS) if (hooks[name]) steps[name] = NO_STEPS.concat(hooks[name] as Step | Step[])
    this.#routes.push({ planned, steps })
  }
}

const namesOf = (hooks: Hooks) => REQUEST_HOOKS.filter((name) => hooks[name])

const NO_STEPS: readonly Step[] = []

/**
 * Puts the hooks of all routes before those of one. Not by `...` or `flat`, which leave room for more: a process has
 * thousands of these lists.
 */
function joinHooks(ofAll: Hooks, ofOne: Hooks): void {
  for (const name of REQUEST_HOOKS) {
    const first = ofAll[name]
    if (first) ofOne[name] = ofOne[name] ? first.concat(ofOne[name]) : first
  }
}
