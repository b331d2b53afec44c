import { queryOptions } from '@tanstack/react-query'
import { bodyOf, service } from '../../api/client.ts'
import { loadDocument } from '../../api/documents/signed-document.ts'
import { readResult } from './result.ts'

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
