import { useSyncExternalStore } from 'react'

/** For whom and where the viewer acts. Kept in the browser, so that a reload stays where one was. */
export interface Selection {
  sellerId?: string | undefined
  marketplaceId?: string | undefined
}

const KEY = 'souk-selection'
const listeners = new Set<() => void>()
let selection = load()

export const currentSelection = (): Selection => selection

export function select(change: Selection): void {
  selection = { ...selection, ...change }
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
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}
