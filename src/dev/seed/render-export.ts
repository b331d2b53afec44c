import { BoundedText, withinLimits } from './bounded-export.ts'
import type { ExportPart } from './export-seed.ts'
import { yamlLines } from './yaml-writer.ts'

export type ExportFormat = 'yaml' | 'json'

/** Writes the parts of an export as text. YAML begins with the address of its schema, for editors. */
export async function renderExport(
  parts: AsyncIterable<ExportPart>,
  format: ExportFormat,
  controlUrl: string,
  maxBytes?: number,
): Promise<string> {
  const text = new BoundedText(maxBytes)
  if (format === 'json') await renderJson(withinLimits(parts), text)
  else await renderYaml(withinLimits(parts), `${controlUrl}/_souk/seed-schema.json`, text)
  return text.toString()
}

async function renderJson(parts: AsyncIterable<ExportPart>, text: BoundedText): Promise<void> {
  let open = ''
  let separator = '{'
  const close = () => {
    if (open !== '') text.add(']')
    open = ''
  }
  for await (const part of parts) {
    if ('fields' in part) {
      close()
      for (const [name, value] of Object.entries(part.fields)) {
        text.add(`${separator}${JSON.stringify(name)}:${JSON.stringify(value)}`)
        separator = ','
      }
      continue
    }
    const isOpen = open === part.section
    if (!isOpen) {
      close()
      text.add(`${separator}${JSON.stringify(part.section)}:[`)
      separator = ','
      open = part.section
    }
    text.add((isOpen ? ',' : '') + part.items.map((item) => JSON.stringify(item)).join(','))
  }
  close()
  text.add('}\n')
}

async function renderYaml(parts: AsyncIterable<ExportPart>, schemaUrl: string, text: BoundedText): Promise<void> {
  text.add(`# yaml-language-server: $schema=${schemaUrl}\n`)
  let open = ''
  for await (const part of parts) {
    if ('fields' in part) text.add(`${yamlLines(part.fields, '')}\n`)
    else {
      if (open !== part.section) text.add(`${part.section}:\n`)
      open = part.section
      text.add(`${part.items.map((item) => `  - ${yamlLines(item, '    ')}`).join('\n')}\n`)
    }
  }
}
