import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'
import type { Demo } from '../demo/demo.ts'
import { Credentials } from '../seed/credentials-schema.ts'
import type { Fork, ResetOptions, RestoreOptions, SnapshotSummary } from './public.ts'

/** The state of the whole stand-in. Each call waits for running requests, and new ones wait for it. */
export interface StateControl {
  reset(options: ResetOptions): Promise<void>
  listSnapshots(): SnapshotSummary[]
  takeSnapshot(name: string, options: { replace: boolean }): Promise<SnapshotSummary>
  restore(name: string, options: RestoreOptions): Promise<void>
  deleteSnapshot(name: string): Promise<void>
  listForks(): Promise<Fork[]>
  fork(options: { snapshot?: string }): Promise<Fork>
  stopFork(id: string): Promise<void>
  now(): Date
}

const Name = Type.String({ maxLength: 64, description: 'Letters, digits, dots, hyphens and underscores' })
const NameParams = Type.Object({ name: Name })
const ForkParams = Type.Object({ id: Type.String({ maxLength: 100 }) })
const Snapshot = Type.Object({
  name: Type.String(),
  time: Type.String({ format: 'date-time', description: 'The time of the clock' }),
  version: Type.String({ description: 'The version of Souk that took it' }),
})
const ForkView = Type.Object({
  id: Type.String(),
  url: Type.String({ description: 'The base address of the Selling Partner API and of its own control plane' }),
  queueUrl: Type.String({ description: 'The endpoint of the local queue for an SQS client' }),
  demo: Type.Optional(
    Type.Unsafe<Demo>(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Ids and credentials, as `souk demo --json` prints them. Absent if they are not valid in the content of the fork, such as a seed file',
        },
      ),
    ),
  ),
  applications: Type.Array(Credentials, {
    description: 'Those of its current content, with the credentials that are known',
  }),
  operatorKey: Type.String({ description: 'The key of its operator API' }),
})
const Time = Type.Object({ time: Type.String({ format: 'date-time', description: 'The time of the clock' }) })

const KeepTokens = Type.Optional(
  Type.Boolean({
    description:
      'Keep access tokens valid, for clients that keep theirs until it expires. Tokens of applications and sellers that do not exist afterwards end. Default: false',
  }),
)

const tags = ['stand-in']
const config = { access: 'public', exclusive: true } as const

/** Reset, snapshots and forks of the whole stand-in. */
export function createStateRoutes(control: StateControl): Routes {
  const time = () => ({ time: control.now().toISOString() })

  return (app: App) => {
    app.post(
      '/_souk/reset',
      {
        config,
        schema: {
          operationId: 'reset',
          summary: 'Reset the marketplace',
          tags,
          body: Type.Optional(
            Type.Union([
              Type.Object(
                {
                  time: Type.Optional(
                    Type.String({
                      format: 'date-time',
                      description: 'The time of the clock. Default: that of the system',
                    }),
                  ),
                  keepTokens: KeepTokens,
                },
                strict,
              ),
              Type.Null(),
            ]),
          ),
          response: { 200: Time, ...errorResponses },
        },
      },
      async ({ body }) => {
        const { time: newTime, keepTokens = false } = body ?? {}
        await control.reset({ ...(newTime !== undefined && { time: parseTimestamp(newTime) }), keepTokens })
        return time()
      },
    )

    app.get(
      '/_souk/snapshots',
      {
        config,
        schema: {
          operationId: 'listSnapshots',
          summary: 'List the snapshots',
          tags,
          response: { 200: Type.Object({ snapshots: Type.Array(Snapshot) }) },
        },
      },
      async () => ({ snapshots: control.listSnapshots() }),
    )

    app.post(
      '/_souk/snapshots',
      {
        config,
        schema: {
          operationId: 'takeSnapshot',
          summary: 'Take a snapshot',
          tags,
          body: Type.Object(
            { name: Name, replace: Type.Optional(Type.Boolean({ description: 'Overwrite. Default: false' })) },
            strict,
          ),
          response: { 201: Snapshot, ...errorResponses },
        },
      },
      async ({ body: { name, replace = false } }, reply) =>
        reply.code(201).send(await control.takeSnapshot(name, { replace })),
    )

    app.post(
      '/_souk/snapshots/:name/restore',
      {
        config,
        schema: {
          operationId: 'restoreSnapshot',
          summary: 'Restore a snapshot',
          tags,
          params: NameParams,
          body: Type.Optional(Type.Union([Type.Object({ keepTokens: KeepTokens }, strict), Type.Null()])),
          response: { 200: Time, ...errorResponses },
        },
      },
      async ({ params, body }) => {
        await control.restore(params.name, body ?? {})
        return time()
      },
    )

    app.delete(
      '/_souk/snapshots/:name',
      {
        config,
        schema: {
          operationId: 'deleteSnapshot',
          summary: 'Delete a snapshot',
          tags,
          params: NameParams,
          response: { 204: Type.Null(), ...errorResponses },
        },
      },
      async ({ params }, reply) => {
        await control.deleteSnapshot(params.name)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/_souk/forks',
      {
        config,
        schema: {
          operationId: 'listForks',
          summary: 'List the forks',
          tags,
          response: { 200: Type.Object({ forks: Type.Array(ForkView) }) },
        },
      },
      async () => ({ forks: await control.listForks() }),
    )

    app.post(
      '/_souk/forks',
      {
        config,
        schema: {
          operationId: 'createFork',
          summary: 'Create a fork of the marketplace',
          tags,
          body: Type.Optional(
            Type.Union([
              Type.Object(
                { snapshot: Type.Optional(Type.String({ maxLength: 64, description: 'Default: the current state' })) },
                strict,
              ),
              Type.Null(),
            ]),
          ),
          response: { 201: ForkView, ...errorResponses },
        },
      },
      async ({ body }, reply) => reply.code(201).send(await control.fork(body ?? {})),
    )

    app.delete(
      '/_souk/forks/:id',
      {
        config,
        schema: {
          operationId: 'stopFork',
          summary: 'Stop a fork',
          tags,
          params: ForkParams,
          response: { 204: Type.Null(), ...errorResponses },
        },
      },
      async ({ params }, reply) => {
        await control.stopFork(params.id)
        return reply.code(204).send(null)
      },
    )
  }
}
