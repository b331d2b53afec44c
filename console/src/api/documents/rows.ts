/** A document as a table. The cells of a row are in the order of the columns; a missing one is empty. */
export interface Rows {
  columns: string[]
  rows: string[][]
}

export interface ParseOptions {
  signal?: AbortSignal
  /** Called now and then with how much of the text was read, from 0 to 1. */
  onProgress?(share: number): void
}
