import { SaxesParser } from 'saxes'

export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}

/** Parses XML strictly; throws if it is not well-formed. */
export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const current = () => open.at(-1) as XmlElement
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes }, children: [], text: '' }
    current().children.push(element)
    open.push(element)
  })
  parser.on('text', (part) => {
    current().text += part
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(text).close()
  return root.children[0] as XmlElement
}

type Outline = [name: string, content: string | Outline[]]

/** Names and texts in order, in a short form: `['a', [['b', 'text']]]`. */
export const outline = ({ name, children, text }: XmlElement): Outline => [
  name,
  children.length > 0 ? children.map(outline) : text,
]

export const childrenOf = (element: XmlElement | undefined, name: string) =>
  element?.children.filter((child) => child.name === name) ?? []
