/** For the person who waits. Standard output is the table's alone. */
export function logProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}
