import { Button, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useRef } from 'react'
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
  const list = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  // Opening the open request again is how the keyboard gets into its panel, which takes no focus by itself.
  const show = (id: string) => (id === request ? panel.current?.focus() : open(id))
  const close = () => {
    list.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
    open(undefined)
  }
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
      <Stack ref={list}>
        <RequestList key={key} filter={filter} openId={request} onOpen={show} />
      </Stack>
      <RequestPanel id={request} content={panel} onClose={close} />
    </Page>
  )
}
