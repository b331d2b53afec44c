import { Box, Loader, Table, Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

export interface Column<Row> {
  header: string
  /** A CSS grid track, such as `2fr` or `120px`. Default: `1fr`. */
  width?: string
  align?: 'end'
  cell(row: Row): ReactNode
}

interface DataTableProps<Row> {
  /** What the rows are, for people who cannot see the table. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  onOpen?(row: Row): void
  /** Present if there are more rows on the server. Called when the last row comes into view. */
  loadMore?: (() => void) | undefined
  isLoadingMore?: boolean
  height?: number | string
}

const ROW_HEIGHT = 44

/** A table of any length: only the rows in view are in the page, and further ones are loaded when they come into view. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, onOpen, loadMore, isLoadingMore, height = '70vh' } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= rows.length - 1 && rows.length > 0 && !isLoadingMore) loadMore?.()
  }, [last, rows.length, isLoadingMore, loadMore])
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)

  return (
    <Box ref={scroller} tabIndex={0} role="region" aria-label={label} style={{ overflow: 'auto', maxHeight: height }}>
      <Table stickyHeader highlightOnHover={onOpen !== undefined} aria-rowcount={loadMore ? -1 : rows.length}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.header} w={column.width} ta={column.align}>
                {column.header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {before > 0 && <Spacer height={before} />}
          {items.map(({ index }) => {
            const row = rows[index] as Row
            return (
              <Table.Tr key={keyOf(row)} h={ROW_HEIGHT} {...(onOpen && openable(() => onOpen(row)))}>
                {columns.map((column) => (
                  <Table.Td key={column.header} ta={column.align}>
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
          {after > 0 && <Spacer height={after} />}
        </Table.Tbody>
      </Table>
      {isLoadingMore && (
        <Text ta="center" p="xs" size="sm" c="dimmed">
          <Loader size="xs" aria-label="Loading more" />
        </Text>
      )}
    </Box>
  )
}

const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden style={{ height }}>
    <td />
  </tr>
)

/** A row that opens by click, Enter and Space. */
const openable = (open: () => void) => ({
  tabIndex: 0,
  style: { cursor: 'pointer' },
  onClick: open,
  onKeyDown: (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== ' ')) return
    event.preventDefault()
    open()
  },
})
