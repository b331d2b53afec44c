import { useSyncExternalStore } from 'react'

/** For whom and where the viewer acts. Kept in the browser, so that a reload stays where one was. */
export interface Selection {
  sellerId?: string | undefined
  marketplaceId?: string | undefined
}

const KEY = 'souk-selection'
const listeners = new Set<() => void>()
let selection = load()
let switches = 0

export const currentSelection = (): Selection => selection

/** How often the viewer has selected another seller or marketplace. */
export const useSwitches = (): number => useSyncExternalStore(subscribe, () => switches)

/** Selects for the viewer. */
export const select = (change: Selection): void => replace(change, switches + 1)

/** Replaces a selection that is no longer possible, of which pages need not start again. */
export const correctSelection = (change: Selection): void => replace(change, switches)

function replace(change: Selection, switchesThen: number): void {
  const next = { ...selection, ...change }
  // A new object would draw the whole page again.
  if (next.sellerId === selection.sellerId && next.marketplaceId === selection.marketplaceId) return
  selection = next
  switches = switchesThen
  try {
    localStorage.setItem(KEY, JSON.stringify(selection))
  } catch {
    // A browser may refuse to store anything; the selection then lasts until the page is left.
  }
  for (const listener of listeners) listener()
}

export function useSelection(): Selection {
  return useSyncExternalStore(subscribe, currentSelection)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function load(): Selection {
  try {
    return parseSelection(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}

/** What was stored may be anything: other versions and other pages of the same origin write there, too. */
export function parseSelection(text: string): Selection {
  const stored: unknown = JSON.parse(text)
  if (typeof stored !== 'object' || stored === null) return {}
  const { sellerId, marketplaceId } = stored as Record<string, unknown>
  return {
    ...(typeof sellerId === 'string' && { sellerId }),
    ...(typeof marketplaceId === 'string' && { marketplaceId }),
  }
}
