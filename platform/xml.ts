/**
 * XML from outside, read so that it can do no harm. No entity is declared or fetched, and neither is a DTD. Length and
 * depth are limited.
 */
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'

/** An element with its attributes, its child elements in order, and its text. */
export type XmlElement = {
  name: string
  attributes: Readonly<Record<string, string | undefined>>
  children: XmlElement[]
  text: string
}

const deepest = 40
/** In characters. Callers have lower limits. */
const maxXmlLength = 4 * 1024 * 1024
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Only XML's five entities and numeric characters. Declarations are refused earlier.
  processEntities: true,
  htmlEntities: false,
  maxNestedTags: deepest,
})

/** A document type without its own declarations. Its URL is never requested. */
const plainDoctype = /<!DOCTYPE[^<>[]*>/y
const declaration = /<!(?!--|\[CDATA\[)/
/** Control characters, which databases and people can't read. XML can write them by number. */
const unreadable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

/** Parses a document; undefined if it is malformed, too long, too deep, or declares anything. */
export function parseXml(text: string): XmlElement | undefined {
  if (text.length > maxXmlLength) return undefined
  const plain = withoutDoctype(text)
  if (declaration.test(plain) || unreadable.test(plain) || !hasPlainNumbers(plain)) return undefined
  if (XMLValidator.validate(plain) !== true) return undefined
  try {
    const roots = elementsIn(parser.parse(plain))
    return roots.length === 1 && roots[0] && isReadable(roots[0]) ? roots[0] : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the text without its document type, which precedes the first element and follows instructions and comments.
 */
function withoutDoctype(text: string): string {
  let at = 0
  for (;;) {
    at = text.indexOf('<', at)
    const end = text.startsWith('<?', at) ? '?>' : text.startsWith('<!--', at) ? '-->' : undefined
    if (at < 0 || end === undefined) break
    const found = text.indexOf(end, at + 2)
    if (found < 0) return text
    at = found + end.length
  }
  plainDoctype.lastIndex = Math.max(0, at)
  const doctype = plainDoctype.exec(text)?.[0]
  return doctype === undefined ? text : text.slice(0, at) + text.slice(at + doctype.length)
}

/** Whether every character written by its number is one that can be read. */
function hasPlainNumbers(text: string): boolean {
  return [...text.matchAll(/&#([^;]{0,9})/g)].every(([, number = '']) => {
    const code = Number(/^x/i.test(number) ? `0${number}` : number || 'none')
    return Number.isInteger(code) && code <= 0x10_ffff && !unreadable.test(String.fromCodePoint(code))
  })
}

function isReadable({ text, attributes, children }: XmlElement): boolean {
  const texts = [text, ...Object.values(attributes)]
  return (
    texts.every((each) => each === undefined || (!unreadable.test(each) && each.isWellFormed())) &&
    children.every(isReadable)
  )
}

const parsedNode = z.record(z.string(), z.unknown())
const parsedAttributes = z.record(z.string(), z.string()).catch({})

/** Returns the elements in the parser's nodes. Each is an object with one name and separate attributes. */
function elementsIn(nodes: unknown): XmlElement[] {
  return z
    .array(parsedNode)
    .parse(nodes)
    .flatMap((node) => {
      const name = Object.keys(node).find((key) => key !== ':@' && key !== '#text')
      if (name === undefined) return []
      const inside = z.array(parsedNode).parse(node[name])
      return {
        name,
        attributes: parsedAttributes.parse(node[':@']),
        children: elementsIn(inside),
        text: inside.map((each) => (typeof each['#text'] === 'string' ? each['#text'] : '')).join(''),
      }
    })
}

/** The first element at a path below another. */
export function childAt(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>(
    (found, name) => found?.children.find((child) => child.name === name),
    element,
  )
}

/** All child elements of a name. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? []
}

/**
 * The input of `writeXml`. `@name` is an attribute, and `#text` the text of an element with attributes. Elements follow
 * the keys' order.
 */
export type XmlContent = { [name: string]: string | XmlContent | XmlContent[] }

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
})

/** Writes a document of one root element, escaped, with the address of its document type. */
export function writeXml(content: XmlContent, doctype: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE cXML SYSTEM "${doctype}">\n${builder.build(content)}`
}
