import { Alert, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { service } from '../../api/client.ts'
import { describe } from '../../api/failure.ts'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone } from '../../ui/notify.ts'
import type { OrderView, ReviewRequest } from './order.ts'

/** One request per order. The mark is the console's own: a request through the API does not set it. */
export function Review({ order, history, review }: OrderView) {
  const queries = useQueryClient()
  const request = useMutation({
    mutationFn: () =>
      service.POST('/console/v1/orders/{amazonOrderId}/reviewRequest', {
        params: { path: { amazonOrderId: order.orderId }, query: { marketplaceIds: [history.marketplaceId] } },
        body: {},
      }),
    onSuccess: () => {
      notifyDone('The buyer is asked for a review.')
      return queries.invalidateQueries({ queryKey: ['order'] })
    },
  })
  return (
    <Card withBorder component="section" aria-labelledby="review">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4" id="review">
            Review request
          </Title>
          {review.requested && (
            <Badge color="teal" variant="light" tt="none" leftSection={<IconCheck size={12} aria-hidden />}>
              Review requested
            </Badge>
          )}
        </Group>
        <Window review={review} />
        {request.error && (
          <Alert role="alert" color="red" icon={<IconAlertTriangle />}>
            {describe(request.error)}
          </Alert>
        )}
        {!review.requested && (
          <Button
            variant="light"
            disabled={review.window === undefined}
            loading={request.isPending}
            onClick={() => request.mutate()}
          >
            Request a review
          </Button>
        )}
      </Stack>
    </Card>
  )
}

function Window({ review: { window, optedOut } }: { review: ReviewRequest }) {
  if (!window) return <Text size="sm">A review can be requested some days after the delivery.</Text>
  return (
    <Text size="sm" component="div">
      From <Moment time={window.opensAt} /> to <Moment time={window.closesAt} />.
      {optedOut && ' The buyer has opted out of review requests.'}
    </Text>
  )
}
