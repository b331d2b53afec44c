import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'

interface DetailsDrawerProps<Item> {
  /** The item whose details are shown. The drawer is closed without one. */
  item: Item | undefined
  onClose(): void
  title(item: Item): ReactNode
  size?: 'md' | 'lg' | 'xl'
  children(item: Item): ReactNode
}

/** The details of a row, beside its table. */
export function DetailsDrawer<Item>({ item, onClose, title, size = 'lg', children }: DetailsDrawerProps<Item>) {
  return (
    <Drawer
      opened={item !== undefined}
      onClose={onClose}
      position="right"
      size={size}
      title={item !== undefined && title(item)}
    >
      {item !== undefined && children(item)}
    </Drawer>
  )
}
