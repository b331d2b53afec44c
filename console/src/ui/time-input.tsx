import { TextInput } from '@mantine/core'

interface TimeInputProps {
  label: string
  description?: string
  /** ISO 8601, or empty. */
  value: string
  onChange(time: string): void
}

/** A date and time in the viewer's zone. */
export function TimeInput({ label, description, value, onChange }: TimeInputProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={description}
      value={value === '' ? '' : toLocal(new Date(value))}
      onChange={({ currentTarget: { value: local } }) => onChange(local === '' ? '' : new Date(local).toISOString())}
    />
  )
}

function toLocal(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
