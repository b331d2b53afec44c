import type { ExportPart } from './export-seed.ts'
import { yamlLines } from './yaml-writer.ts'

export type ExportFormat = 'yaml' | 'json'

/** Writes the parts of an export as text. YAML begins with the address of its schema, for editors. */
export async function renderExport(
  parts: AsyncIterable<ExportPart>,
  format: ExportFormat,
  controlUrl: string,
): Promise<string> {
  return format === 'yaml'
    ? renderYaml(parts, `${controlUrl}/_souk/seed-schema.json`)
    : `${JSON.stringify(await collectExport(parts))}\n`
}

export async function collectExport(parts: AsyncIterable<ExportPart>): Promise<Record<string, unknown>> {
  const whole: Record<string, unknown> = {}
  for await (const part of parts) {
    if ('fields' in part) Object.assign(whole, part.fields)
    else {
      whole[part.section] ??= []
      ;(whole[part.section] as unknown[]).push(...part.items)
    }
  }
  return whole
}

async function renderYaml(parts: AsyncIterable<ExportPart>, schemaUrl: string): Promise<string> {
  const texts = [`# yaml-language-server: $schema=${schemaUrl}\n`]
  let open = ''
  for await (const part of parts) {
    if ('fields' in part) texts.push(`${yamlLines(part.fields, '')}\n`)
    else {
      if (open !== part.section) texts.push(`${part.section}:\n`)
      open = part.section
      texts.push(`${part.items.map((item) => `  - ${yamlLines(item, '    ')}`).join('\n')}\n`)
    }
  }
  return texts.join('')
}
