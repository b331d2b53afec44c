import { FileButton, Group, Paper, Text, UnstyledButton } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'

interface DropAreaProps {
  label: string
  hint: string
  /** MIME types and extensions that the file dialog offers. */
  accept?: string
  onFile(file: File): void
}

/** Takes a file that is dropped on it, or opens the file dialog. */
export function DropArea({ label, hint, accept, onFile }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const [file] = event.dataTransfer.files
    if (file) onFile(file)
  }
  return (
    <FileButton onChange={(file) => file && onFile(file)} {...(accept !== undefined && { accept })}>
      {({ onClick }) => (
        <UnstyledButton
          onClick={onClick}
          onDragEnter={over}
          onDragOver={over}
          onDragLeave={() => setIsOver(false)}
          onDrop={drop}
          w="100%"
        >
          <Paper
            p="lg"
            style={{
              border: `2px dashed var(--mantine-color-${isOver ? 'cyan-6' : 'default-border'})`,
              ...(isOver && { background: 'var(--mantine-color-default-hover)' }),
            }}
          >
            <Group justify="center" gap="md" wrap="nowrap">
              <IconFileUpload size={32} aria-hidden style={{ flexShrink: 0 }} />
              <div>
                <Text fw={500}>{isOver ? 'Release to choose this file' : label}</Text>
                <Text size="sm" c="dimmed">
                  {hint}
                </Text>
              </div>
            </Group>
          </Paper>
        </UnstyledButton>
      )}
    </FileButton>
  )
}
