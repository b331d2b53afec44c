import { Stack, Text } from '@mantine/core'
import type { RequestDetail } from '../../api/request-log.ts'
import { JsonView, TextView } from '../../ui/json-view.tsx'

/** The headers and the body of a request or response. */
export function MessageView({ message, label }: { message: RequestDetail['request']; label: string }) {
  const { headers, body, bytes, isCut } = message
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <Stack gap="xs">
      <TextView label={`headers of the ${label}`} text={lines.join('\n')} />
      {body === undefined ? (
        <Text size="sm" c="dimmed">
          {bytes === 0 ? 'No body.' : `A document of ${bytes} bytes, which the log does not keep.`}
        </Text>
      ) : (
        <>
          {isCut && (
            <Text size="sm" c="dimmed">
              The beginning of {bytes} bytes.
            </Text>
          )}
          <JsonView label={`body of the ${label}`} value={body} />
        </>
      )}
    </Stack>
  )
}
