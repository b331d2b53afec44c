import { Slider, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { formatTime } from '../../ui/moment.tsx'

const MAX_HOURS = 30 * 24
const HOUR_SECONDS = 3_600
const MARKS = [7, 14, 21, 28].map((days) => ({ value: days * 24, label: `${days} d` }))

interface ClockSliderProps {
  now: Date
  isDisabled: boolean
  onMove(seconds: number): void
}

/** Moves the clock up to 30 days ahead when it is released, or after the last of several key presses. */
export function ClockSlider({ now, isDisabled, onMove }: ClockSliderProps) {
  const [hours, setHours] = useState(0)
  const isByKeyboard = useRef(false)
  const move = (chosen: number) => {
    setHours(0)
    if (chosen > 0) onMove(chosen * HOUR_SECONDS)
  }
  const moveLater = useDebouncedCallback(move, 1_000)
  const target = formatTime(new Date(now.getTime() + hours * HOUR_SECONDS * 1_000))
  return (
    <div>
      <Text size="sm" c="dimmed" mih={22}>
        {hours === 0 ? 'Drag to a time up to 30 days ahead.' : `Release to move to ${target} (+ ${spell(hours)}).`}
      </Text>
      <Slider
        value={hours}
        onChange={setHours}
        onChangeEnd={(chosen) => (isByKeyboard.current ? moveLater(chosen) : move(chosen))}
        onKeyDown={() => {
          isByKeyboard.current = true
        }}
        onPointerDown={() => {
          isByKeyboard.current = false
        }}
        min={0}
        max={MAX_HOURS}
        step={1}
        marks={MARKS}
        label={spell}
        disabled={isDisabled}
        thumbLabel="Hours ahead"
        styles={{ markLabel: { color: 'var(--mantine-color-dimmed)' } }}
        mb="lg"
      />
    </div>
  )
}

const spell = (hours: number) => {
  const days = Math.floor(hours / 24)
  return [days > 0 && `${days} d`, (hours % 24 > 0 || days === 0) && `${hours % 24} h`].filter(Boolean).join(' ')
}
