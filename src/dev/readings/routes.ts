import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import { READINGS, type ReadingName, type Readings } from '../../platform/readings.ts'
import type { ReadingSwitches } from './reading-switches.ts'

const value = <Name extends ReadingName>(name: Name, description: string) =>
  Type.Unsafe<Readings[Name]>(
    Type.Enum([...READINGS[name]], { description: `${description}. Default: ${READINGS[name][0]}` }),
  )

const ReadingValues = Type.Object({
  repeatSolicitation: value('repeatSolicitation', 'The status of a second solicitation for the same order'),
  destinationPath: value('destinationPath', 'Which path destinations have'),
  contentType: value('contentType', 'Whether getReportDocument requires `contentType` also without a body'),
  disabledActions: value(
    'disabledActions',
    'Whether the action of an order that is not eligible is listed as disabled',
  ),
})
const ReadingChange = Type.Partial(ReadingValues, strict)

const tags = ['stand-in']
const config = { access: 'public' } as const

/** How the stand-in reads the specification where it contradicts itself. */
export function createReadingRoutes(switches: ReadingSwitches): Routes {
  return (app: App) => {
    app.get(
      '/_souk/readings',
      {
        config,
        schema: {
          operationId: 'getReadings',
          summary: 'Get the readings of the specification',
          tags,
          response: { 200: ReadingValues, ...errorResponses },
        },
      },
      async () => switches.current,
    )

    app.patch(
      '/_souk/readings',
      {
        config,
        schema: {
          operationId: 'changeReadings',
          summary: 'Set some of the readings of the specification',
          tags,
          body: ReadingChange,
          response: { 200: ReadingValues, ...errorResponses },
        },
      },
      async ({ body }) => switches.change(body),
    )
  }
}
