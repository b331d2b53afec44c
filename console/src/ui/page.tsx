import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

interface PageProps {
  title: string
  /** One sentence below the title. */
  about?: ReactNode
  /** Buttons at the end of the title's line. */
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, about, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Souk`
  }, [title])
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {about && (
            <Text c="dimmed" size="sm">
              {about}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
