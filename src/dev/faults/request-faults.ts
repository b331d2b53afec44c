import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import { isFromConsole } from '../../http/console-header.ts'
import type { Routes } from '../../http/route.ts'
import { callerFieldsOf, createFieldIndex, hasPages, requestSubjectsOf } from '../operation-fields.ts'
import { factsOf } from '../request-facts.ts'
import type { FaultableOperation } from './actions.ts'
import { applyLatencies } from './latency.ts'
import type { FaultRule } from './public.ts'
import { applyFault, type HitRequest } from './request-actions.ts'
import type { FaultRules } from './rules.ts'

export interface RequestFaultDependencies extends Pick<HitRequest, 'expireToken' | 'newSubmissionId'> {
  rules: FaultRules
}

type Handle = (this: unknown, request: FastifyRequest, reply: FastifyReply) => unknown

/** Lets rules hit the operations that are registered from now on. Without rules, a request costs one comparison more. */
export function createRequestFaults({ rules, ...dependencies }: RequestFaultDependencies) {
  const operations = new Map<string, FaultableOperation>()

  const hooks: Routes = (app) => {
    app.addHook('onRoute', (route) => {
      const operation = operationOf(route)
      if (!operation) return
      operations.set(operation.name, operation)
      const wrap = (handle: Handle) => withFaults(handle, operation, route)
      // An upload is received before a handler would run, by the last hook.
      if (operation.name === 'uploadDocument') {
        const hooks = [route.onRequest ?? []].flat()
        route.onRequest = [...hooks.slice(0, -1), wrap(hooks.at(-1) as Handle) as onRequestHookHandler]
      } else route.handler = wrap(route.handler as Handle)
    })
  }

  function withFaults(handle: Handle, operation: FaultableOperation, { config }: RouteOptions): Handle {
    const { envelope } = operation
    return function (this: unknown, request, reply) {
      // Rules are about the client under test: the console must neither fail nor use up their hits.
      // By its header: links of documents have no caller.
      if (!rules.isActive('request') || isFromConsole(request)) return handle.call(this, request, reply)
      const { latencies, fault } = rules.decide('request', factsOf(request), operation)
      if (latencies.length === 0 && !fault) return handle.call(this, request, reply)
      request.faultId = (fault ?? latencies[0])?.id
      const proceed = () => handle.call(this, request, reply)
      return run(latencies, fault, { request, reply, envelope, rate: config?.rate, proceed, ...dependencies })
    }
  }

  async function run(latencies: readonly FaultRule[], fault: FaultRule | undefined, hit: Omit<HitRequest, 'rule'>) {
    await applyLatencies(latencies, rules, hit.reply)
    return fault ? applyFault({ ...hit, rule: fault }) : hit.proceed()
  }

  return { hooks, listOperations: () => [...operations.values()] }
}

const indexFields = createFieldIndex<string>((route) => [
  ...callerFieldsOf(route),
  ...requestSubjectsOf(route),
  ...(hasPages(route) ? ['nextPage'] : []),
])

/** Undefined for what no rule can hit: the control plane, the operator API, probes and the documentation. */
function operationOf({ url, schema, config }: RouteOptions): FaultableOperation | undefined {
  const { access, oauth, storage, rate } = config ?? {}
  const name = schema?.operationId
  const isApi = typeof access === 'object' || oauth || storage || url.startsWith('/definitions/')
  if (!isApi || name === undefined || name === 'refuseDocumentRequest') return undefined
  const envelope = oauth ? 'oauth' : storage ? 'storage' : 'api'
  const fields = indexFields(name, { url, schema, config })
  const takesToken = typeof access === 'object'
  return { name, layer: 'request', envelope, takesToken, hasQuota: rate !== undefined, fields }
}
