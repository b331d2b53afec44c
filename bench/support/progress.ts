/** Reports progress on stderr. Standard output contains only the figures. */
export function logProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}
