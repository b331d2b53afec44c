import { Badge, Button, Group, NumberInput, Paper, Select, Stack, Switch, Text, Title } from '@mantine/core'
import { IconPlayerPlay, IconPlayerSkipForward, IconSnowflake } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf, controlPlane } from '../../api/client.ts'
import { useMarketplaceTime } from '../../api/clock.ts'
import { useProgress } from '../../api/progress.ts'
import { useAct } from '../../ui/act.ts'
import { formatTime, Moment } from '../../ui/moment.tsx'
import { ProgressBars } from '../../ui/progress-bars.tsx'
import { ClockSlider } from './clock-slider.tsx'

const HOUR_SECONDS = 3_600
const PRESETS = [
  ['1 hour', HOUR_SECONDS],
  ['1 day', 24 * HOUR_SECONDS],
  ['1 week', 7 * 24 * HOUR_SECONDS],
] as const
const UNITS = [
  { value: '60', label: 'minutes' },
  { value: String(HOUR_SECONDS), label: 'hours' },
  { value: String(24 * HOUR_SECONDS), label: 'days' },
]

export function ClockCard() {
  const clock = useMarketplaceTime()
  const queries = useQueryClient()
  const [keepTokens, setKeepTokens] = useState(false)
  const [isWorking, setIsWorking] = useState(false)
  const tasks = useProgress(isWorking, () => {
    setIsWorking(false)
    void queries.invalidateQueries()
  })
  const watch = () => setIsWorking(true)
  const move = useAct({
    run: (advanceSeconds: number) =>
      bodyOf(controlPlane.POST('/_souk/clock', { body: { advanceSeconds, keepTokens } })),
    onDone: watch,
  })
  const freeze = useAct({ run: (frozen: boolean) => controlPlane.POST('/_souk/clock', { body: { frozen } }) })
  const next = useAct({
    run: () => bodyOf(controlPlane.POST('/_souk/clock/next', { body: { keepTokens } })),
    onDone: watch,
  })
  const isBusy = move.isPending || next.isPending

  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <div>
            <Title order={2} size="h4">
              Clock
            </Title>
            <Group gap="xs" mih={30}>
              {clock && (
                <Text size="xl" fw={600}>
                  <Moment time={clock.now} />
                </Text>
              )}
              {clock?.isFrozen && <Badge leftSection={<IconSnowflake size={12} aria-hidden />}>Frozen</Badge>}
            </Group>
          </div>
          {clock && (
            <Button
              variant="default"
              loading={freeze.isPending}
              leftSection={
                clock.isFrozen ? <IconPlayerPlay size={16} aria-hidden /> : <IconSnowflake size={16} aria-hidden />
              }
              onClick={() => freeze.mutate(!clock.isFrozen)}
            >
              {clock.isFrozen ? 'Let it run' : 'Freeze'}
            </Button>
          )}
        </Group>
        <Group gap="xs">
          {PRESETS.map(([label, seconds]) => (
            <Button key={label} variant="light" disabled={isBusy} onClick={() => move.mutate(seconds)}>
              + {label}
            </Button>
          ))}
          <CustomMove isDisabled={isBusy} onMove={(seconds) => move.mutate(seconds)} />
        </Group>
        {clock && <ClockSlider now={clock.now} isDisabled={isBusy} onMove={(seconds) => move.mutate(seconds)} />}
        <Group gap="md">
          <Button
            loading={next.isPending}
            disabled={move.isPending}
            leftSection={<IconPlayerSkipForward size={16} aria-hidden />}
            onClick={() => next.mutate()}
          >
            To the next event
          </Button>
          <Switch
            label="Keep access tokens valid"
            checked={keepTokens}
            onChange={({ currentTarget }) => setKeepTokens(currentTarget.checked)}
          />
        </Group>
        {next.data && <NextResult result={next.data} />}
        {isWorking && <ProgressBars tasks={tasks} />}
      </Stack>
    </Paper>
  )
}

interface NextResultProps {
  result: { now: string; due: { description: string } | null; alsoDue: readonly { description: string }[] }
}

function NextResult({ result: { now, due, alsoDue } }: NextResultProps) {
  const others = alsoDue.length === 0 ? '' : ` (and ${alsoDue.length} more at the same moment)`
  return (
    <Text size="sm" role="status">
      {due === null
        ? 'Nothing is due, so the clock stays where it is.'
        : `${formatTime(new Date(now))}: ${due.description}${others}`}
    </Text>
  )
}

function CustomMove({ isDisabled, onMove }: { isDisabled: boolean; onMove(seconds: number): void }) {
  const [amount, setAmount] = useState<number | string>(15)
  const [unit, setUnit] = useState('60')
  const seconds = Number(amount) * Number(unit)
  return (
    <Group
      component="form"
      gap={4}
      wrap="nowrap"
      onSubmit={(event) => {
        event.preventDefault()
        if (seconds > 0) onMove(seconds)
      }}
    >
      <NumberInput aria-label="Amount of time" value={amount} onChange={setAmount} min={0} max={100_000} w={80} />
      <Select
        aria-label="Unit of time"
        data={UNITS}
        value={unit}
        onChange={(value) => value && setUnit(value)}
        allowDeselect={false}
        w={110}
      />
      <Button type="submit" variant="light" disabled={isDisabled || !(seconds > 0)}>
        Advance
      </Button>
    </Group>
  )
}
