import { Badge, Loader, type MantineColor } from '@mantine/core'
import { IconAlertTriangle, IconBan, IconCheck, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ProcessingStatus } from '../api/processing.ts'

interface Look {
  label: string
  color: MantineColor
  icon: ReactNode
}

const LOOKS: Record<ProcessingStatus, Look> = {
  IN_QUEUE: { label: 'In queue', color: 'gray', icon: <IconClock size={14} aria-hidden /> },
  IN_PROGRESS: { label: 'In progress', color: 'blue', icon: <Loader size={12} color="blue" aria-hidden /> },
  DONE: { label: 'Done', color: 'teal', icon: <IconCheck size={14} aria-hidden /> },
  CANCELLED: { label: 'Cancelled', color: 'gray', icon: <IconBan size={14} aria-hidden /> },
  FATAL: { label: 'Fatal', color: 'red', icon: <IconAlertTriangle size={14} aria-hidden /> },
}

/** The state of a report or feed. */
export function ProcessingBadge({ status }: { status: ProcessingStatus }) {
  const { label, color, icon } = LOOKS[status]
  return (
    <Badge variant="light" color={color} leftSection={icon} tt="none" title={status}>
      {label}
    </Badge>
  )
}

export const processingLabel = (status: ProcessingStatus): string => LOOKS[status].label
