import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../../http/route.ts'
import { strict } from '../../../marketplace/schema.ts'
import type { Incident, IncidentSettings } from '../public.ts'
import { FaultMatchBody, FaultRuleView, ForSeconds } from '../schema.ts'
import type { IncidentOperations } from './operations.ts'

const config = { access: 'public', listsViolations: true } as const
const tags = ['stand-in']
const params = Type.Object({ name: Type.String({ maxLength: 100, description: 'Such as `stuck-feed`' }) })
const IncidentView = Type.Unsafe<Incident>(
  Type.Object({
    name: Type.String(),
    summary: Type.String(),
    page: Type.String({ description: 'What happened, and what a robust client does' }),
    hasSeller: Type.Boolean({
      description: 'Whether `match` can have a `sellerId`. A link to a document has no seller',
    }),
    active: Type.Boolean({ description: 'Whether it can still change a call, or keeps work from going on' }),
    faults: Type.Array(FaultRuleView, { description: 'The rules of the incident, until it is stopped' }),
  }),
)
const Settings = Type.Unsafe<IncidentSettings>(
  Type.Object({ match: Type.Optional(FaultMatchBody), forSeconds: Type.Optional(ForSeconds) }, strict),
)

export function createIncidentRoutes(operations: IncidentOperations): Routes {
  return (app: App) => {
    app.get(
      '/_souk/incidents',
      {
        config,
        schema: {
          operationId: 'listIncidents',
          summary: 'List the incidents that can be started',
          tags,
          response: { 200: Type.Object({ incidents: Type.Array(IncidentView) }), ...errorResponses },
        },
      },
      async () => ({ incidents: operations.list() }),
    )
    app.post(
      '/_souk/incidents/:name',
      {
        config,
        schema: {
          operationId: 'startIncident',
          summary: 'Start an incident',
          description: 'Adds the fault rules of the incident. See [Incidents](/docs/incidents/readme).',
          tags,
          params,
          body: Type.Optional(Settings),
          response: { 201: IncidentView, ...errorResponses },
        },
      },
      async (request, reply) => {
        reply.code(201)
        return operations.start(request.params.name, request.body ?? {})
      },
    )
    app.delete(
      '/_souk/incidents/:name',
      {
        config,
        schema: {
          operationId: 'endIncident',
          summary: 'Stop an incident',
          tags,
          params,
          response: { 204: Type.Null(), ...errorResponses },
        },
      },
      async (request, reply) => {
        await operations.end(request.params.name)
        return reply.code(204).send(null)
      },
    )
    app.delete(
      '/_souk/incidents',
      {
        config,
        schema: {
          operationId: 'endIncidents',
          summary: 'Stop all incidents',
          tags,
          response: { 204: Type.Null(), ...errorResponses },
        },
      },
      async (_request, reply) => {
        await operations.endAll()
        return reply.code(204).send(null)
      },
    )
  }
}
