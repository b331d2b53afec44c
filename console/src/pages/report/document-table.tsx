import { CloseButton, Progress, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { parseTsv } from '../../api/documents/parse-tsv.ts'
import { parseXml } from '../../api/documents/parse-xml.ts'
import type { Rows } from '../../api/documents/rows.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { Empty, ErrorState } from '../../ui/states.tsx'

interface DocumentTableProps {
  text: string
  format: 'TSV' | 'XML'
  find: string
  onFind(find: string): void
}

export function DocumentTable({ text, format, find, onFind }: DocumentTableProps) {
  const { rows, share, error } = useParsed(text, format)
  if (error) return <ErrorState error={error} />
  if (!rows) return <Progress value={share * 100} aria-label="Reading the document" transitionDuration={100} />
  return <RowsView parsed={rows} find={find} onFind={onFind} />
}

interface Parsing {
  rows?: Rows
  share: number
  error?: unknown
}

function useParsed(text: string, format: 'TSV' | 'XML'): Parsing {
  const [parsing, setParsing] = useState<Parsing>({ share: 0 })
  useEffect(() => {
    const reader = new AbortController()
    const { signal } = reader
    setParsing({ share: 0 })
    const parse = format === 'XML' ? parseXml : parseTsv
    parse(text, { signal, onProgress: (share) => !signal.aborted && setParsing({ share }) }).then(
      (rows) => !signal.aborted && setParsing({ rows, share: 1 }),
      (error: unknown) => !signal.aborted && setParsing({ share: 0, error }),
    )
    return () => reader.abort()
  }, [text, format])
  return parsing
}

interface IndexedRow {
  /** From 1, as in the document. */
  number: number
  cells: string[]
}

const MAX_SAMPLED_ROWS = 50
const NUMBER_WIDTH = 72

function RowsView({ parsed, find, onFind }: { parsed: Rows; find: string; onFind(find: string): void }) {
  const [opened, setOpened] = useState<IndexedRow>()
  const [typed, setTyped] = useState(find)
  const wanted = useDeferredValue(typed).trim().toLowerCase()
  const all = useMemo(() => parsed.rows.map((cells, index): IndexedRow => ({ number: index + 1, cells })), [parsed])
  const shown = useMemo(
    () => (wanted === '' ? all : all.filter(({ cells }) => cells.some((cell) => cell?.toLowerCase().includes(wanted)))),
    [all, wanted],
  )
  const { columns, width } = useMemo(() => layOut(parsed), [parsed])
  if (all.length === 0) return <Empty>The document has no rows.</Empty>
  const search = (text: string) => {
    setTyped(text)
    onFind(text)
  }

  return (
    <Stack gap="xs">
      <TextInput
        aria-label="Find rows"
        placeholder="Find rows"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={typed && <CloseButton aria-label="Show all rows" onClick={() => search('')} />}
        value={typed}
        onChange={({ currentTarget }) => search(currentTarget.value)}
        maw={360}
      />
      <Text size="sm" c="dimmed" role="status">
        {shown.length === all.length
          ? `${all.length.toLocaleString()} rows, ${parsed.columns.length} columns`
          : `${shown.length.toLocaleString()} of ${all.length.toLocaleString()} rows`}
      </Text>
      {shown.length === 0 ? (
        <Empty>No row contains this text.</Empty>
      ) : (
        <DataTable
          label="Rows of the document"
          columns={columns}
          rows={shown}
          keyOf={({ number }) => String(number)}
          openKey={opened && String(opened.number)}
          onOpen={(row) => setOpened(row)}
          minWidth={width}
        />
      )}
      <DetailsDrawer
        item={opened}
        onClose={() => setOpened(undefined)}
        title={({ number }) => `Row ${number.toLocaleString()}`}
      >
        {({ cells }) => (
          <DefinitionList entries={parsed.columns.map((name, index) => [name, cells[index] || undefined])} />
        )}
      </DetailsDrawer>
    </Stack>
  )
}

/** Columns as wide as their first rows, within limits. */
function layOut({ columns: names, rows }: Rows): { columns: Column<IndexedRow>[]; width: number } {
  const sample = rows.slice(0, MAX_SAMPLED_ROWS)
  const widths = names.map((name, index) => {
    const longest = Math.max(name.length + 1, ...sample.map((cells) => cells[index]?.length ?? 0))
    return Math.min(280, Math.max(80, longest * 8 + 24))
  })
  const columns = names.map((name, index): Column<IndexedRow> => {
    const isRepeated = names.indexOf(name) !== index
    return {
      header: isRepeated ? `${name} (${index + 1})` : name,
      width: `${widths[index]}px`,
      cell: ({ cells }) => cells[index],
    }
  })
  return {
    columns: [{ header: '#', width: `${NUMBER_WIDTH}px`, cell: ({ number }) => number }, ...columns],
    width: widths.reduce((sum, one) => sum + one, NUMBER_WIDTH),
  }
}
