import { Alert, Button, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'

export interface ShownSecret {
  title: string
  values: readonly { label: string; value: string }[]
}

/** Shows secrets that the service returns once and keeps only as a digest. */
export function SecretDialog({ secret, onClose }: { secret: ShownSecret | undefined; onClose(): void }) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={secret?.title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Alert icon={<IconEyeOff />} color="yellow">
          Copy it now. It is shown this one time, and nobody can read it again.
        </Alert>
        {secret?.values.map(({ label, value }) => (
          <div key={label}>
            <Text size="sm" fw={600}>
              {label}
            </Text>
            <Group wrap="nowrap" align="flex-start">
              <Text ff="monospace" size="sm" style={{ wordBreak: 'break-all' }} flex={1}>
                {value}
              </Text>
              <CopyButton value={value}>
                {({ copied, copy }) => (
                  <Button size="xs" variant="light" onClick={copy} aria-label={`Copy ${label}`}>
                    {copied ? 'Copied' : 'Copy'}
                  </Button>
                )}
              </CopyButton>
            </Group>
          </div>
        ))}
        <Button onClick={onClose}>I have copied it</Button>
      </Stack>
    </Modal>
  )
}
