/** Has the browser save bytes as a file. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}

const BYTES = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })
const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const

export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  return `${BYTES.format(bytes / 1024 ** power)} ${UNITS[power]}`
}
