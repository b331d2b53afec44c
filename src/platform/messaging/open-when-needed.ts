/** Opens something once. What cannot be opened, because a file of the package is being replaced, is tried again. */
export function openWhenNeeded<Opened extends { close(): void }>(open: () => Promise<Opened>) {
  let opening: Promise<Opened> | undefined
  return {
    open(): Promise<Opened> {
      opening ??= open().catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return opening
    },
    close(): void {
      opening?.then(
        (opened) => opened.close(),
        () => undefined,
      )
    },
  }
}
