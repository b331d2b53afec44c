import { Anchor, Group, NumberInput, Stack, Table } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { ShownSecret } from '../../ui/secret-dialog.tsx'
import type { Application } from './types.ts'

const SECONDS_PER_HOUR = 3600
const MAX_OVERLAP_HOURS = 30 * 24

interface ApplicationDetailsProps {
  application: Application
  showSecret(secret: ShownSecret): void
}

export function ApplicationDetails({ application, showSecret }: ApplicationDetailsProps) {
  const { applicationId, name, clientId, signingKey } = application
  const [overlapHours, setOverlapHours] = useState(24)
  const request = {
    params: { path: { applicationId } },
    body: { overlapSeconds: overlapHours * SECONDS_PER_HOUR },
  }
  const changes = [['operator', 'applications']]
  const rotateSecret = useAct({
    run: () => bodyOf(service.POST('/operator/v1/applications/{applicationId}/clientSecret', request)),
    changes,
    onDone: ({ clientSecret }) =>
      showSecret({ title: `New client secret of ${name}`, values: [{ label: 'Client secret', value: clientSecret }] }),
  })
  const rotateKey = useAct({
    run: () => bodyOf(service.POST('/operator/v1/applications/{applicationId}/signingKey', request)),
    changes,
    onDone: ({ signingKey: key }) =>
      showSecret({
        title: `New signing key of ${name}`,
        values: [
          { label: 'Access key ID', value: key.accessKeyId },
          { label: 'Secret access key', value: key.secretAccessKey },
        ],
      }),
  })
  const fate = overlapHours === 0 ? 'The old one ends at once.' : `The old one ends in ${overlapHours} hours.`
  return (
    <Stack>
      <Table layout="fixed" aria-label={`Properties of ${name}`}>
        <Table.Tbody>
          <Property name="Application ID" value={applicationId} />
          <Property name="Client ID" value={clientId} />
          <Property name="Access key ID" value={signingKey.accessKeyId} />
          <Property name="Roles" value={application.roles?.join(', ') || 'None'} />
          <Property name="Redirect addresses" value={<Lines of={application.redirectUris} />} />
          <Property name="Consent page" value={<ConsentPage {...application} />} />
          <Property name="Delegates to" value={application.delegatees?.join(', ') || 'Nobody'} />
          <Property name="Client secret expires" value={<Moment time={application.clientSecretExpiresAt} />} />
          <Property name="Previous secret ends" value={<Moment time={application.previousSecretEndsAt} />} />
          <Property name="Previous signing key ends" value={<Moment time={application.previousSigningKeyEndsAt} />} />
        </Table.Tbody>
      </Table>
      <NumberInput
        label="Hours for which the old one stays valid"
        min={0}
        max={MAX_OVERLAP_HOURS}
        clampBehavior="strict"
        value={overlapHours}
        onChange={(value) => setOverlapHours(Number(value) || 0)}
      />
      <Group>
        <ConfirmButton
          verb="Replace"
          question={`Replace the client secret of ${name}? ${fate}`}
          loading={rotateSecret.isPending}
          onConfirm={() => rotateSecret.mutate()}
        >
          New client secret
        </ConfirmButton>
        <ConfirmButton
          verb="Replace"
          question={`Replace the signing key of ${name}? ${fate}`}
          loading={rotateKey.isPending}
          onConfirm={() => rotateKey.mutate()}
        >
          New signing key
        </ConfirmButton>
      </Group>
    </Stack>
  )
}

const Property = ({ name, value }: { name: string; value: React.ReactNode }) => (
  <Table.Tr>
    <Table.Th w="40%" scope="row">
      {name}
    </Table.Th>
    <Table.Td style={{ wordBreak: 'break-all' }}>{value}</Table.Td>
  </Table.Tr>
)

const Lines = ({ of = [] }: { of: readonly string[] | undefined }) =>
  of.length === 0 ? 'None' : of.map((line) => <div key={line}>{line}</div>)

/** The address to which the application sends sellers. */
function ConsentPage({ applicationId, redirectUris = [] }: Application) {
  if (redirectUris.length === 0) return 'None, because it has no redirect address'
  const url = `${location.origin}/apps/authorize/consent?application_id=${encodeURIComponent(applicationId)}`
  return <Anchor href={url}>{url}</Anchor>
}
