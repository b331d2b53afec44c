import { queryOptions } from '@tanstack/react-query'
import { bodyOf, service } from '../../api/client.ts'
import { loadDocument } from '../../api/documents/signed-document.ts'
import { isFinal, PROCESSING_POLL_MILLISECONDS } from '../../api/processing.ts'
import { readResult } from './result.ts'

const loadFeed = (feedId: string) =>
  bodyOf(service.GET('/feeds/2021-06-30/feeds/{feedId}', { params: { path: { feedId } } }))

export type FeedData = Awaited<ReturnType<typeof loadFeed>>

export const feedQuery = (feedId: string) =>
  queryOptions({
    queryKey: ['feeds', 'one', feedId],
    queryFn: () => loadFeed(feedId),
    refetchInterval: ({ state: { data } }) =>
      data && !isFinal(data.processingStatus) ? PROCESSING_POLL_MILLISECONDS : false,
  })

/** Documents of a feed never change once it exists, and may be large. */
const unchanging = { staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000 }

export const resultQuery = (feedDocumentId: string) =>
  queryOptions({
    queryKey: ['feedResult', feedDocumentId],
    queryFn: async ({ signal }) => {
      const link = await bodyOf(
        service.GET('/feeds/2021-06-30/documents/{feedDocumentId}', { params: { path: { feedDocumentId } }, signal }),
      )
      const document = await loadDocument(link, signal)
      return { ...document, ...(await readResult(document.text)) }
    },
    ...unchanging,
  })

export const submittedQuery = (feedId: string) =>
  queryOptions({
    queryKey: ['submittedDocument', feedId],
    queryFn: async ({ signal }) => {
      const link = await bodyOf(
        service.GET('/console/v1/feeds/{feedId}/document', { params: { path: { feedId } }, signal }),
      )
      return { ...(await loadDocument(link, signal)), contentType: link.contentType }
    },
    ...unchanging,
  })
