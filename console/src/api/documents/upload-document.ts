import { describeStorageBody, reachableUrl } from './signed-document.ts'

interface Upload {
  url: string
  /** The header of the seller for whom the link was made. */
  seller: Record<string, string>
  content: Blob
  /** Must be exactly the one for which the link was made. */
  contentType: string
  onProgress?(sentBytes: number): void
}

const DEADLINE_MILLISECONDS = 10 * 60_000

/** Uploads to a signed link. `fetch` does not report how far an upload is. */
export function uploadDocument({ url: signedUrl, seller, content, contentType, onProgress }: Upload): Promise<void> {
  const { url, headers } = reachableUrl(signedUrl, seller)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.timeout = DEADLINE_MILLISECONDS
    request.setRequestHeader('content-type', contentType)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress?.(loaded)
    request.onload = () => {
      if (request.status < 300) resolve()
      else reject(new Error(describeStorageBody(request.status, request.responseText)))
    }
    request.onerror = () => reject(new Error('The upload was interrupted.'))
    request.ontimeout = () => reject(new Error('The upload took longer than ten minutes.'))
    request.send(content)
  })
}
