/** Renders Markdown to HTML that is safe to embed in a page, with what a table of contents and a reading time need. */
import { Marked } from 'marked'
import sanitizeHtml from 'sanitize-html'
import { plainText } from '#platform/html-text.ts'

export type Heading = { readonly id: string; readonly text: string; readonly level: 2 | 3 }
export type Rendered = { readonly html: string; readonly headings: readonly Heading[]; readonly minutes: number }

/** How many words an adult reads per minute of plain nonfiction (M. Brysbaert, 2019: 238). */
const wordsPerMinute = 238

/**
 * Renders `source`. Second- and third-level headings get ids from their words, unique in the page; external links are
 * marked for the browser; anything but plain article HTML is removed, whatever its origin.
 */
export async function renderMarkdown(source: string): Promise<Rendered> {
  const headings: Heading[] = []
  const taken = new Set<string>()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens)
        const text = plainText(inner)
        const id = uniqueId(text, taken)
        if (depth === 2 || depth === 3) headings.push({ id, text, level: depth })
        return `<h${depth} id="${id}">${inner}</h${depth}>\n`
      },
    },
  })
  const html = sanitizeHtml(await marked.parse(source), articleHtml)
  const words = plainText(html).split(/\s+/).filter(Boolean).length
  return { html, headings, minutes: Math.max(1, Math.round(words / wordsPerMinute)) }
}

/** Converts "Reading UTQG" to "reading-utqg". */
export function anchorOf(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'part'
  )
}

const articleHtml: sanitizeHtml.IOptions = {
  allowedTags:
    'h2 h3 h4 p a strong em del code sub sup br hr ul ol li dl dt dd blockquote figure figcaption img table thead tbody tr th td'.split(
      ' ',
    ),
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    th: ['align', 'scope'],
    td: ['align'],
    '*': ['id'],
  },
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: attribs['href']?.startsWith('https://') ? { ...attribs, rel: 'noopener' } : attribs,
    }),
    img: (tagName, attribs) => ({ tagName, attribs: { ...attribs, loading: 'lazy' } }),
    th: (tagName, attribs) => ({ tagName, attribs: { ...attribs, scope: 'col' } }),
  },
}

function uniqueId(text: string, taken: Set<string>): string {
  const base = anchorOf(text)
  let id = base
  for (let count = 2; taken.has(id); count++) id = `${base}-${count}`
  taken.add(id)
  return id
}
