import { Box, Loader, Table, Text } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from 'react'
import { describe } from '../api/failure.ts'
import { FailedNote } from './states.tsx'

export interface Column<Row> {
  header: string
  /** A CSS width, such as `120px` or `30%`. Columns without one share what is left. */
  width?: string
  align?: 'end'
  /** One line; what does not fit is cut with an ellipsis. */
  cell(row: Row): ReactNode
}

interface DataTableProps<Row> {
  /** What the rows are, for people who cannot see the table. */
  label: string
  /** Rows are drawn again only if they or these change, so declare them outside of the component or memoize them. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  onOpen?(row: Row): void
  /** The key of the row that is open. */
  openKey?: string | undefined
  /** Present if there are more rows on the server. Called when the last row comes into view, unless it has failed. */
  loadMore?: (() => void) | undefined
  isLoadingMore?: boolean
  /** Why the last rows could not be loaded. The viewer can then try again. */
  loadMoreError?: unknown
  /** Called when the viewer scrolls away from the first row, and back to it. */
  onTopChange?(isAtTop: boolean): void
  height?: number | string
  /** Narrower windows scroll sideways. */
  minWidth?: number
}

const ROW_HEIGHT = 44
const oneLine = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const

const startCell = {
  ...oneLine,
  padding: 'var(--table-vertical-spacing) var(--table-horizontal-spacing, var(--mantine-spacing-xs))',
}
const endCell = { ...startCell, textAlign: 'end' } as const

/** A table of any length: only the rows in view are in the page, and further ones are loaded when they come into view. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, onOpen, openKey, loadMore, isLoadingMore, loadMoreError, onTopChange } = props
  const { height = '70vh', minWidth = 640 } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isAtTop = useRef(true)
  const opener = useRef(onOpen)
  opener.current = onOpen
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const hasFailed = Boolean(loadMoreError) && !isLoadingMore
  useEffect(() => {
    if (last >= rows.length - 1 && rows.length > 0 && !isLoadingMore && !hasFailed) loadMore?.()
  }, [last, rows.length, isLoadingMore, hasFailed, loadMore])
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  const onScroll = () => {
    const isNowAtTop = (scroller.current?.scrollTop ?? 0) < ROW_HEIGHT
    if (isNowAtTop !== isAtTop.current) onTopChange?.(isNowAtTop)
    isAtTop.current = isNowAtTop
  }

  return (
    <Box
      ref={scroller}
      onScroll={onTopChange && onScroll}
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ overflow: 'auto', maxHeight: height }}
    >
      <Table
        stickyHeader
        layout="fixed"
        miw={minWidth}
        highlightOnHover={onOpen !== undefined}
        aria-rowcount={loadMore ? -1 : rows.length}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, width, align }) => (
              <Table.Th key={header} w={width} ta={align} style={oneLine}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {before > 0 && <Spacer height={before} />}
          {items.map(({ index }) => {
            const row = rows[index] as Row
            const key = keyOf(row)
            return (
              <DataRow
                key={key}
                row={row}
                columns={columns as readonly Column<unknown>[]}
                opener={onOpen && (opener as Opener)}
                isOpen={key === openKey}
              />
            )
          })}
          {after > 0 && <Spacer height={after} />}
        </Table.Tbody>
      </Table>
      {isLoadingMore && (
        <Text ta="center" p="xs" size="sm" c="dimmed">
          <Loader size="xs" role="status" aria-label="Loading more" />
        </Text>
      )}
      {hasFailed && loadMore && (
        <FailedNote retry={loadMore}>Loading more failed. {describe(loadMoreError)}</FailedNote>
      )}
    </Box>
  )
}

interface Opener {
  readonly current: ((row: unknown) => void) | undefined
}

interface DataRowProps {
  row: unknown
  columns: readonly Column<unknown>[]
  opener: Opener | undefined
  isOpen: boolean
}

const DataRow = memo(function DataRow({ row, columns, opener, isOpen }: DataRowProps) {
  return (
    <Table.Tr
      h={ROW_HEIGHT}
      {...(isOpen && { 'aria-current': true, bg: 'var(--mantine-primary-color-light)' })}
      {...(opener && openable(() => opener.current?.(row), isOpen))}
    >
      {columns.map(({ header, align, cell }) => (
        // Plain: a report has a thousand cells in view, and scrolling takes a third less time than with those of Mantine.
        <td key={header} style={align === 'end' ? endCell : startCell}>
          {cell(row)}
        </td>
      ))}
    </Table.Tr>
  )
})

const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden style={{ height }}>
    <td />
  </tr>
)

/** A row that opens by click, Enter and Space. The arrow keys move to its neighbors, and open them if a row is open. */
const openable = (open: () => void, isOpen: boolean) => ({
  tabIndex: 0,
  style: { cursor: 'pointer' },
  onClick: open,
  onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return
    const { key, currentTarget: row } = event
    const neighbor = key === 'ArrowDown' ? row.nextElementSibling : key === 'ArrowUp' && row.previousElementSibling
    if (neighbor instanceof HTMLElement && neighbor.tabIndex === 0) {
      event.preventDefault()
      neighbor.focus()
      if (isOpen) neighbor.click()
    } else if (key === 'Enter' || key === ' ') {
      event.preventDefault()
      open()
    }
  },
})
