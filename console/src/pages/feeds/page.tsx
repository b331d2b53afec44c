import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DropArea } from '../../ui/drop-area.tsx'
import { Page } from '../../ui/page.tsx'
import { FeedList } from './feed-list.tsx'
import { feedsRoute } from './route.ts'
import { SubmitFeed } from './submit-feed.tsx'

export function FeedsPage() {
  const search = feedsRoute.useSearch()
  const navigate = useNavigate({ from: feedsRoute.fullPath })
  const [file, setFile] = useState<File>()
  return (
    <Page title="Feeds" about="Documents that change many listings or orders at once.">
      {file ? (
        <SubmitFeed key={`${file.name} ${file.lastModified}`} file={file} onClose={() => setFile(undefined)} />
      ) : (
        <DropArea
          label="Drop a file here, or choose one"
          hint="JSON for listings, XML for orders; at most 32 MiB"
          accept=".json,.xml,.txt,.tsv,application/json,text/xml"
          onFile={setFile}
        />
      )}
      <FeedList
        search={search}
        onChange={(changed) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true })}
      />
    </Page>
  )
}
