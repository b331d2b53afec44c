import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import type { FaultOperations } from './operations.ts'
import { FaultRuleView, FaultSettingsBody } from './schema.ts'

const config = { access: 'public', listsViolations: true } as const
const tags = ['stand-in']
const params = Type.Object({ id: Type.String({ maxLength: 100, description: 'Id of the rule' }) })
const Rules = Type.Object({ faults: Type.Array(FaultRuleView) })

export function createFaultRoutes(operations: FaultOperations): Routes {
  return (app: App) => {
    app.get(
      '/_souk/faults',
      {
        config,
        schema: {
          operationId: 'listFaults',
          summary: 'List the fault rules',
          tags,
          response: { 200: Rules, ...errorResponses },
        },
      },
      async () => ({ faults: operations.list() }),
    )
    app.post(
      '/_souk/faults',
      {
        config,
        schema: {
          operationId: 'addFault',
          summary: 'Add a fault rule',
          description: 'See [Faults](/docs/faults) for the actions and what they are possible for.',
          tags,
          body: FaultSettingsBody,
          response: { 201: FaultRuleView, ...errorResponses },
        },
      },
      async (request, reply) => {
        reply.code(201)
        return operations.add(request.body)
      },
    )
    app.delete(
      '/_souk/faults',
      {
        config,
        schema: {
          operationId: 'clearFaults',
          summary: 'Remove all fault rules',
          tags,
          response: { 204: Type.Null(), ...errorResponses },
        },
      },
      async (_request, reply) => {
        await operations.clear()
        return reply.code(204).send(null)
      },
    )
    app.get(
      '/_souk/faults/:id',
      {
        config,
        schema: {
          operationId: 'getFault',
          summary: 'Get a fault rule with its hits',
          tags,
          params,
          response: { 200: FaultRuleView, ...errorResponses },
        },
      },
      async (request) => operations.find(request.params.id),
    )
    app.patch(
      '/_souk/faults/:id',
      {
        config,
        schema: {
          operationId: 'switchFault',
          summary: 'Set whether a fault rule is enabled',
          tags,
          params,
          body: Type.Object({ enabled: Type.Boolean() }, strict),
          response: { 200: FaultRuleView, ...errorResponses },
        },
      },
      async (request) => operations.setEnabled(request.params.id, request.body.enabled),
    )
    app.delete(
      '/_souk/faults/:id',
      {
        config,
        schema: {
          operationId: 'removeFault',
          summary: 'Remove a fault rule',
          tags,
          params,
          response: { 204: Type.Null(), ...errorResponses },
        },
      },
      async (request, reply) => {
        await operations.remove(request.params.id)
        return reply.code(204).send(null)
      },
    )
  }
}
