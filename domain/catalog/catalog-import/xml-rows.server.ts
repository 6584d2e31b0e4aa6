/**
 * XML catalogs as rows of a feed. Elements are read while they arrive, so a file of any size needs little memory. Document
 * types, entities, and anything beyond `xmlLimits` are refused.
 */
import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import sax, { type SAXParser, type Tag } from 'sax'
import { countOf } from '#platform/count-text.ts'

/** Attributes of one element, and characters of one attribute or text. */
const xmlLimits = { attributes: 12, attributeLength: 500, textLength: 4_000 } as const

/** Thrown where a file can't be read. Its last whole record is in row `rowNo` - 1, counted below a header row. */
export class UnreadableXml extends Error {
  readonly rowNo: number
  readonly expected: string

  constructor(rowNo: number, problem: string, expected: string) {
    super(problem)
    this.rowNo = rowNo
    this.expected = expected
  }
}

export type Fault = (problem: string, expected: string) => UnreadableXml
export type Attributes = Tag['attributes']

/** Reads a piece of text and returns the rows that it completes. `end` throws if the file isn't whole. */
export type RowReader = { take(text: string): string[][]; end(): void }

/** Whether a file is XML. */
export function isXml(start: Buffer): boolean {
  return /^(?:\uFEFF)?</.test(start.toString('utf8'))
}

/** Reads text and emits a header of these columns, and the rows that the reader completes. */
export function xmlRows(columns: readonly string[], reader: RowReader): Transform {
  const decoder = new StringDecoder('utf8')
  let hasHeader = false
  return new Transform({
    readableObjectMode: true,
    transform(bytes: Buffer, _encoding, done) {
      try {
        const rows = reader.take(decoder.write(bytes))
        if (!hasHeader) this.push([...columns])
        hasHeader = true
        for (const row of rows) this.push(row)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        reader.end()
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

/** An element with the names of its ancestors, from the root. `line` counts from 1. */
type Opened = { name: string; attributes: Attributes; path: readonly string[]; line: number }
/** `value` is its text, on one line, and `line` the line where it starts. */
type Closed = { name: string; attributes: Attributes; path: readonly string[]; value: string; line: number }

type XmlReader = {
  /** The name of the standard, for messages. */
  standard: string
  /** The deepest level of elements; the root is the first. */
  maxDepth: number
  /** The row that is being read, counted below a header row. */
  rowNo: () => number
  opened(element: Opened): void
  closed(element: Closed): void
}

/** Creates a parser that refuses document types, entities, and elements beyond the limits. */
export function makeXmlReader({ standard, maxDepth, rowNo, opened, closed }: XmlReader): {
  write(text: string): void
  close(): void
  fault: Fault
} {
  const path: string[] = []
  const given: { attributes: Attributes; line: number }[] = []
  let text = ''
  const fault: Fault = (problem, expected) => new UnreadableXml(rowNo(), problem, expected)
  const parser = makeParser({ standard, maxDepth, depth: () => path.length, fault })
  const addText = (more: string) => {
    text += more
    if (text.length > xmlLimits.textLength)
      throw fault('an element has too much text', `at most ${countOf(xmlLimits.textLength, 'character')}`)
  }
  const handlers: Partial<SAXParser> = {
    ontext: addText,
    oncdata: addText,
    onopentag({ name, attributes }) {
      const line = parser.line + 1
      opened({ name, attributes, path, line })
      path.push(name)
      given.push({ attributes, line })
      text = ''
    },
    onclosetag(name) {
      path.pop()
      const { attributes, line } = given.pop() ?? { attributes: {}, line: parser.line + 1 }
      const value = text.replaceAll(/\s+/g, ' ').trim()
      text = ''
      closed({ name, attributes, path, value, line })
    },
  }
  Object.assign(parser, handlers)
  return { write: (more) => void parser.write(more), close: () => void parser.close(), fault }
}

function makeParser({
  standard,
  maxDepth,
  depth,
  fault,
}: Pick<XmlReader, 'standard' | 'maxDepth'> & { depth: () => number; fault: Fault }): SAXParser {
  const parser = sax.parser(true, { strictEntities: true })
  let attributes = 0
  const handlers: Partial<SAXParser> = {
    onerror() {
      throw fault(`the XML can’t be read at line ${parser.line + 1}`, 'well-formed XML')
    },
    ondoctype() {
      throw fault(
        'the file has a document type',
        `${/^[AEIOU]/.test(standard) ? 'an' : 'a'} ${standard} file without a DOCTYPE`,
      )
    },
    onopentagstart() {
      attributes = 0
      if (depth() >= maxDepth) throw fault('an element is nested too deeply', `at most ${countOf(maxDepth, 'level')}`)
    },
    onattribute({ value }) {
      attributes++
      if (attributes > xmlLimits.attributes || value.length > xmlLimits.attributeLength)
        throw fault(
          'an element has too many or too long attributes',
          `at most ${countOf(xmlLimits.attributes, 'attribute')} of ${countOf(xmlLimits.attributeLength, 'character')}`,
        )
    },
  }
  return Object.assign(parser, handlers)
}
