import { Badge, Group } from '@mantine/core'

const LABELS = { BUYABLE: 'Buyable', DISCOVERABLE: 'Discoverable' } as const

/** What buyers can do with a listing. */
export function ListingStatus({ status }: { status: readonly (keyof typeof LABELS)[] | undefined }) {
  if (!status?.length) {
    return (
      <Badge variant="light" color="gray" tt="none">
        Inactive
      </Badge>
    )
  }
  return (
    <Group gap={4} wrap="nowrap">
      {status.map((one) => (
        <Badge key={one} variant="light" color={one === 'BUYABLE' ? 'teal' : 'blue'} tt="none">
          {LABELS[one]}
        </Badge>
      ))}
    </Group>
  )
}
