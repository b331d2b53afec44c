/** The background work of this process, wherever it is done. */
export interface Background {
  /** There may be something new to do. */
  wake(): void
  /** Resolves when no job is in hand and none is due. */
  idle(): Promise<void>
  stop(): Promise<void>
}
