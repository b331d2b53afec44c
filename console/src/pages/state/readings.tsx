import { Anchor, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bodyOf, controlPlane } from '../../api/client.ts'
import type { paths } from '../../api/generated/control-plane.d.ts'
import { useAct } from '../../ui/act.ts'
import { Loaded } from '../../ui/states.tsx'
import { Section } from './section.tsx'

type ReadingValues = paths['/_souk/readings']['get']['responses'][200]['content']['application/json']
type ReadingName = keyof ReadingValues

const READINGS: { [Name in ReadingName]: { label: string; values: readonly ReadingValues[Name][] } } = {
  repeatSolicitation: { label: 'Status of a second solicitation for the same order', values: [403, 400] },
  destinationPath: { label: 'Path of destinations', values: ['both', 'plural', 'singular'] },
  contentType: { label: 'getReportDocument without contentType', values: ['lenient', 'strict'] },
  disabledActions: { label: 'Actions of an order that is not eligible', values: ['hidden', 'listed'] },
}

export function Readings() {
  const readings = useQuery({
    queryKey: ['readings'],
    queryFn: () => bodyOf(controlPlane.GET('/_souk/readings')),
  })
  const change = useAct({
    run: (body: Partial<ReadingValues>) => controlPlane.PATCH('/_souk/readings', { body }),
    changes: [['readings']],
  })
  return (
    <Section
      title="Readings"
      about={
        <>
          Where the specification contradicts itself. The first value is the default.{' '}
          <Anchor href="/docs/readings" target="_blank" size="sm" underline="always">
            What they mean
          </Anchor>
        </>
      }
    >
      <Loaded query={readings}>
        {(values) => (
          <Stack gap="sm">
            {Object.entries(READINGS).map(([name, { label, values: possible }]) => (
              <div key={name}>
                <Text size="sm" fw={500} id={`reading-${name}`}>
                  {label}
                </Text>
                <SegmentedControl
                  aria-labelledby={`reading-${name}`}
                  data={possible.map(String)}
                  value={String(values[name as ReadingName])}
                  disabled={change.isPending}
                  onChange={(chosen) => change.mutate({ [name]: possible.find((value) => String(value) === chosen) })}
                />
              </div>
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
