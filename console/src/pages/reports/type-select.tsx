import { Select, Text } from '@mantine/core'
import { findReportType, REPORT_TYPES } from '../../api/report-types.ts'

interface TypeSelectProps {
  value: string
  onChange(name: string): void
}

/** Chooses a report type, and says what such a report contains. */
export function TypeSelect({ value, onChange }: TypeSelectProps) {
  const type = findReportType(value)
  return (
    <div>
      <Select
        label="Type"
        required
        allowDeselect={false}
        searchable
        data={REPORT_TYPES.map(({ name, label }) => ({ value: name, label }))}
        value={value}
        onChange={(name) => name !== null && onChange(name)}
        data-autofocus
      />
      {type && (
        <Text size="sm" c="dimmed" mt={4}>
          {type.contains} Format: {type.format}.{' '}
          {type.hasPersonalData && 'It has personal data, so software needs a restricted data token to download it. '}
          <Text span ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }}>
            {type.name}
          </Text>
        </Text>
      )}
    </div>
  )
}
