import type { TestSouk } from './souk.ts'

/** Counts how often transactions of these services ran again for a reason, such as `deadlock`. */
export async function countRetries(services: readonly TestSouk[], reason: string): Promise<number> {
  const pages = await Promise.all(services.map((service) => service.get('/metrics')))
  const line = new RegExp(`^souk_database_retries_total\\{reason="${reason}"\\} (\\d+)$`, 'm')
  return pages.reduce((sum, { body }) => sum + Number(line.exec(body)?.[1]), 0)
}
