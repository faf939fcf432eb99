import { XMLParser, XMLValidator } from 'fast-xml-parser'

/* What fakes of XML APIs have alike. */

/** An element's content: text, elements by their names in order, or the same element several times. */
export type Xml = string | Xml[] | XmlElements
export interface XmlElements {
  [name: string]: Xml | undefined
}

export const isElements = (content: Xml | undefined): content is XmlElements =>
  typeof content === 'object' && !Array.isArray(content)

/** The text of an element; undefined: there is none, or it has elements. */
export const textOf = (content: Xml | undefined): string | undefined =>
  typeof content === 'string' ? content : undefined

/** However often it is there. */
export const listOf = (content: Xml | undefined): Xml[] =>
  content === undefined ? [] : Array.isArray(content) ? content : [content]

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  ignoreDeclaration: true,
  htmlEntities: true,
})

/** The document, with attributes as `@_name`; null: it is not well-formed. */
export const parseXml = (text: string): XmlElements | null =>
  XMLValidator.validate(text) === true ? (parser.parse(text) as XmlElements) : null

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

/** The element; of a list one for each. `attributes` begin with a space. */
export function xml(name: string, content: Xml | undefined, attributes = ''): string {
  if (content === undefined) return ''
  if (Array.isArray(content)) return content.map((one) => xml(name, one, attributes)).join('')
  const inner =
    typeof content === 'string'
      ? escaped(content)
      : Object.entries(content)
          .map(([child, value]) => xml(child, value))
          .join('')
  return `<${name}${attributes}>${inner}</${name}>`
}

/** Attributes as `xml` takes them. */
export const attributesOf = (attributes: Record<string, string | number | boolean>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')
