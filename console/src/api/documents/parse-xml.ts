import { readXmlRecords, type XmlElement } from './read-xml.ts'
import type { ParseOptions, Rows } from './rows.ts'

/** AmazonEnvelope, Message, and then a return, an order or what else the report is about. */
const isRecord = (path: readonly string[]) => path.length === 3 && path[1] === 'Message'

/**
 * Parses an XML report into rows, as the flat file of the same report has them: one per item of a return or an order,
 * with the fields of the return or order repeated.
 */
export async function parseXml(text: string, options: ParseOptions = {}): Promise<Rows> {
  const indexes = new Map<string, number>()
  const rows: string[][] = []
  await readXmlRecords(
    text,
    isRecord,
    (record) => {
      // Such as the id of the message.
      if (record.children.length === 0) return
      for (const fields of rowsOf(record)) rows.push(toCells(fields, indexes))
    },
    options,
  )
  return { columns: [...indexes.keys()], rows }
}

function toCells(fields: ReadonlyMap<string, string>, indexes: Map<string, number>): string[] {
  const cells: string[] = []
  for (const [name, value] of fields) {
    let index = indexes.get(name)
    if (index === undefined) {
      index = indexes.size
      indexes.set(name, index)
    }
    cells[index] = value
  }
  return cells
}

/** A child with children of its own that occurs several times is a list of items: a row for each. */
function rowsOf(record: XmlElement): Map<string, string>[] {
  const counts = new Map<string, number>()
  for (const { name, children } of record.children) {
    if (children.length > 0) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const isItem = ({ name }: XmlElement) => (counts.get(name) ?? 0) > 1
  const shared = new Map<string, string>()
  for (const child of record.children) if (!isItem(child)) collect(child, '', shared)
  const items = record.children.filter(isItem)
  if (items.length === 0) return [shared]
  return items.map((item) => {
    const fields = new Map(shared)
    collect(item, '', fields)
    return fields
  })
}

function collect(element: XmlElement, prefix: string, fields: Map<string, string>): void {
  const { name, children } = element
  // A list of amounts, such as the parts of a price: each has the name of its type.
  const type = children.find((child) => child.name === 'Type')
  const amount = children.find((child) => child.name === 'Amount')
  if (children.length === 0) add(fields, prefix + name, textOf(element))
  else if (type && amount) add(fields, prefix + type.text, textOf(amount))
  else for (const child of children) collect(child, `${prefix}${name}.`, fields)
}

function add(fields: Map<string, string>, name: string, value: string): void {
  const before = fields.get(name)
  fields.set(name, before === undefined || before === '' ? value : `${before}; ${value}`)
}

const textOf = ({ text, attributes: { currency } }: XmlElement) => (currency && text ? `${text} ${currency}` : text)
