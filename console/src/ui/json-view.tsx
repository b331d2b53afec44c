import { ActionIcon, Box, Code, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

const MAX_SHOWN = 100_000

/** JSON or any other text, with a button that copies it. */
export function TextView({ text, label }: { text: string; label: string }) {
  const shown =
    text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${text.length - MAX_SHOWN} more characters` : text
  return (
    <Box pos="relative">
      <Box pos="absolute" top={4} right={4}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy'}>
              <ActionIcon variant="default" onClick={copy} aria-label={`Copy ${label}`}>
                {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Box>
      <Code block tabIndex={0} aria-label={label} role="region" mah={420} style={{ overflow: 'auto' }}>
        {shown}
      </Code>
    </Box>
  )
}

export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    <TextView label={label} text={typeof value === 'string' ? prettyJson(value) : JSON.stringify(value, null, 2)} />
  )
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
