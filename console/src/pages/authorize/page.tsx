import { Alert, Button, Card, Group, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { bodyOf, service } from '../../api/client.ts'
import { useSeller } from '../../api/session.ts'
import { useAct } from '../../ui/act.ts'
import { Page } from '../../ui/page.tsx'
import { ErrorState, Loaded } from '../../ui/states.tsx'
import { type AuthorizeSearch, authorizeRoute } from './route.ts'

const TITLE = 'Authorize an application'

/** All that the access token of an authorization opens. */
const GRANTED = [
  'Read, change and delete listings, and read prices and offers',
  'Submit feeds, which change many listings and orders at once',
  'Request, schedule and read reports',
  'Read orders, and confirm and update their shipments',
  'Ask buyers for reviews',
  'Subscribe to notifications about all of this',
]

/** Where an application sends a seller who is to authorize it. */
export function AuthorizePage() {
  const search = authorizeRoute.useSearch()
  const { application_id: applicationId } = search
  if (applicationId === undefined) {
    return (
      <Page title={TITLE}>
        <ErrorState error={new Error('The link names no application: application_id is missing.')} />
      </Page>
    )
  }
  return (
    <Page title={TITLE}>
      <Consent {...search} applicationId={applicationId} />
    </Page>
  )
}

function Consent({ applicationId, redirect_uri, state }: AuthorizeSearch & { applicationId: string }) {
  const { seller } = useSeller()
  const navigate = useNavigate()
  const consent = useQuery({
    queryKey: ['consent', applicationId, redirect_uri, seller?.sellerId],
    queryFn: () =>
      bodyOf(
        service.GET('/console/v1/consents', { params: { query: { application_id: applicationId, redirect_uri } } }),
      ),
  })
  const authorize = useAct({
    run: () =>
      bodyOf(
        service.POST('/console/v1/consents', {
          body: {
            applicationId,
            state: state ?? '',
            ...(redirect_uri !== undefined && { redirectUri: redirect_uri }),
          },
        }),
      ),
    changes: [],
    onDone: ({ redirectTo }) => location.assign(redirectTo),
  })
  return (
    <Loaded query={consent}>
      {({ name, roles, redirectUri, isAuthorized }) => (
        <Card withBorder maw={560}>
          <Stack>
            <Text>
              <b>{name}</b> asks to act for <b>{seller?.name ?? 'the seller'}</b> in this marketplace:
            </Text>
            <List>
              {GRANTED.map((right) => (
                <List.Item key={right}>{right}</List.Item>
              ))}
            </List>
            {roles.length > 0 && (
              <div>
                <Text>It can also see personal data of buyers, for:</Text>
                <List>
                  {roles.map((role) => (
                    <List.Item key={role}>{role}</List.Item>
                  ))}
                </List>
              </div>
            )}
            {isAuthorized && <Alert color="blue">The seller has authorized it before.</Alert>}
            <Text size="sm" c="dimmed" style={{ wordBreak: 'break-all' }}>
              Then you go to {redirectUri}
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => void navigate({ to: '/' })}>
                Cancel
              </Button>
              <Button loading={authorize.isPending} onClick={() => authorize.mutate()}>
                Authorize
              </Button>
            </Group>
          </Stack>
        </Card>
      )}
    </Loaded>
  )
}
