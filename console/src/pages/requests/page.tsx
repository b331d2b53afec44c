import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { RequestFilter } from '../../api/request-log.ts'
import { Page } from '../../ui/page.tsx'
import { RequestFilters } from './request-filters.tsx'
import { RequestList } from './request-list.tsx'
import { RequestPanel } from './request-panel.tsx'
import { requestsRoute } from './route.ts'

export function RequestsPage() {
  const { request, ...filterNow } = requestsRoute.useSearch()
  const key = JSON.stringify(filterNow)
  const filter = useMemo((): RequestFilter => JSON.parse(key), [key])
  const navigate = useNavigate({ from: '/requests' })
  const open = useCallback(
    (id: string | undefined) =>
      void navigate({ search: (search) => ({ ...search, request: id }), replace: id === undefined }),
    [navigate],
  )
  const changeFilter = (change: RequestFilter) =>
    void navigate({ search: (search) => ({ ...search, ...change }), replace: true })

  return (
    <Page
      title="Requests"
      about="What clients sent, what came back, and why a request was refused. Requests of this console are not logged."
      actions={
        <Button
          component="a"
          href={`/_souk/requests.har?${new URLSearchParams(filter)}`}
          download="souk-requests.har"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          HAR
        </Button>
      }
    >
      <RequestFilters filter={filter} onChange={changeFilter} />
      <RequestList key={key} filter={filter} openId={request} onOpen={open} />
      <RequestPanel id={request} onClose={() => open(undefined)} />
    </Page>
  )
}
