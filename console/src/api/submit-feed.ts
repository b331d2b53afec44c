import { bodyOf, sellerHeader, service } from './client.ts'
import { uploadDocument } from './documents/upload-document.ts'

export interface FeedSubmission {
  feedType: string
  marketplaceIds: string[]
  contentType: string
  content: Blob
}

export type SubmissionStep = 'document' | 'upload' | 'feed'

export interface SubmissionProgress {
  step: SubmissionStep
  sentBytes: number
}

/** The service refuses larger documents. */
export const MAX_FEED_BYTES = 32 * 1024 * 1024

/** Submits a feed in the three steps of the API, and returns its id. */
export async function submitFeed(
  { feedType, marketplaceIds, contentType, content }: FeedSubmission,
  onProgress: (progress: SubmissionProgress) => void = () => {},
): Promise<string> {
  const seller = sellerHeader()
  onProgress({ step: 'document', sentBytes: 0 })
  const { feedDocumentId, url } = await bodyOf(
    service.POST('/feeds/2021-06-30/documents', { headers: seller, body: { contentType } }),
  )
  onProgress({ step: 'upload', sentBytes: 0 })
  await uploadDocument({
    url,
    seller,
    content,
    contentType,
    onProgress: (sentBytes) => onProgress({ step: 'upload', sentBytes }),
  })
  onProgress({ step: 'feed', sentBytes: content.size })
  const { feedId } = await bodyOf(
    service.POST('/feeds/2021-06-30/feeds', {
      headers: seller,
      body: { feedType, marketplaceIds, inputFeedDocumentId: feedDocumentId },
    }),
  )
  return feedId
}
