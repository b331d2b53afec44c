import { Alert, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { bodyOf, service } from '../../api/client.ts'
import { type LoadedDocument, loadDocument } from '../../api/documents/signed-document.ts'
import { findReportType } from '../../api/report-types.ts'
import { JsonView, TextView } from '../../ui/json-view.tsx'
import { formatBytes, saveFile } from '../../ui/save-file.ts'
import { Loaded } from '../../ui/states.tsx'
import { DocumentTable } from './document-table.tsx'
import { type ReportSearch, reportRoute } from './route.ts'

interface ReportDocumentProps {
  documentId: string
  reportType: string
}

export function ReportDocument({ documentId, reportType }: ReportDocumentProps) {
  const query = useQuery({
    queryKey: ['reportDocument', documentId],
    queryFn: async ({ signal }) => {
      const path = { reportDocumentId: documentId }
      const link = await bodyOf(
        service.GET('/reports/2021-06-30/documents/{reportDocumentId}', { params: { path }, signal }),
      )
      return loadDocument(link, signal)
    },
    // A document never changes, and may be large.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  return (
    <Stack gap="sm">
      <Loaded query={query}>
        {(document) => <DocumentViews document={document} reportType={reportType} name={documentId} />}
      </Loaded>
    </Stack>
  )
}

const EXTENSIONS = { TSV: 'tsv', XML: 'xml', JSON: 'json' } as const

function DocumentViews(props: { document: LoadedDocument; reportType: string; name: string }) {
  const { document, reportType, name } = props
  const { text, content, contentType, downloadedBytes, isCut } = document
  const search = reportRoute.useSearch()
  const navigate = useNavigate({ from: reportRoute.fullPath })
  const change = (changed: ReportSearch) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true })
  const format = findReportType(reportType)?.format ?? formatOf(contentType)
  const fileName = `${reportType.toLowerCase()}-${name.replace(/\W+/g, '-')}.${EXTENSIONS[format]}`
  const isRaw = search.view === 'raw'

  return (
    <>
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4">
            Document
          </Title>
          <Text size="sm" c="dimmed">
            {formatBytes(downloadedBytes)} downloaded, {formatBytes(content.size)} of {contentType}
          </Text>
        </div>
        <Group gap="xs">
          <SegmentedControl
            aria-label="View of the document"
            data={[
              { value: 'table', label: format === 'JSON' ? 'Formatted' : 'Table' },
              { value: 'raw', label: 'Raw' },
            ]}
            value={search.view ?? 'table'}
            onChange={(view) => change({ view: view === 'raw' ? 'raw' : undefined })}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => saveFile(content, fileName)}
          >
            {isCut ? 'Save the beginning' : 'Save'}
          </Button>
        </Group>
      </Group>
      {isCut && (
        <Alert color="yellow" title="This is the beginning of the document">
          It is larger than this page can show. Download it with your software to read all of it.
        </Alert>
      )}
      {isRaw ? (
        <TextView text={text} label="Document" />
      ) : format === 'JSON' ? (
        <JsonView value={text} label="Document" />
      ) : (
        <DocumentTable
          text={text}
          format={format}
          find={search.find ?? ''}
          onFind={(find) => change({ find: find || undefined })}
        />
      )}
    </>
  )
}

function formatOf(contentType: string): keyof typeof EXTENSIONS {
  if (contentType.includes('json')) return 'JSON'
  return contentType.includes('xml') ? 'XML' : 'TSV'
}
