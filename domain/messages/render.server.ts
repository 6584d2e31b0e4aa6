/**
 * Renders mail from Markdown: a subject in the front matter, `{{name}}` for values. One template gives the text part
 * and the HTML part.
 */
import { Marked } from 'marked'
import type { MessageKind, MessageValues } from '#domain/messages/messages.ts'
import { visibleLine, visibleText } from '#platform/plain-text.ts'
import { readTextFile } from '#platform/text-file.ts'

const folder = new URL('../../content/mail/', import.meta.url)

/** Renders a mail. Throws when the template uses a value that is not given: a defect, not the recipient's fault. */
export async function renderMessage(
  kind: MessageKind,
  values: MessageValues,
  {
    footer = null,
    brand = null,
    readTemplate = readFromContent,
  }: { footer?: Footer | null; brand?: MailBrand | null; readTemplate?: (kind: MessageKind) => Promise<string> } = {},
): Promise<{ subject: string; text: string; html: string }> {
  const source = await readTemplate(kind)
  const match = /^---\nsubject: "(?<subject>[^"\n]+)"\n---\n\n(?<body>[\s\S]+)$/.exec(source)
  if (!match?.groups) throw new Error(`content/mail/${kind}.md has no subject line.`)
  const subject = fill(match.groups['subject'] ?? '', values, visibleLine)
  const body = (match.groups['body'] ?? '').trimEnd() + (footer ? footerTemplate : '')
  const given = footer
    ? {
        ...values,
        postalAddress: `${footer.store.name}, ${footer.store.address}`,
        stops: footer.stops,
        stopUrl: footer.stopUrl,
        preferencesUrl: footer.preferencesUrl,
      }
    : values
  const text = body.split('\n').map(plainLine).join('\n')
  const html = await new Marked({ gfm: true }).parse(fill(body, given, escapeMarkdown))
  return { subject, text: tidy(fill(text, given, visibleText)), html: page(subject, html, brand) }
}

/** The names of the values that a template needs, each once. */
export function placeholdersOf(source: string): string[] {
  return [...new Set([...source.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))]
}

/** Under whose name a mail is, if not our own: that of a branded store. `textColor` reads on `color`. */
export type MailBrand = {
  name: string
  logoUrl: string | null
  color: string
  textColor: string
  poweredBy: string
}

/** The footer of a mail its recipient can stop. */
export type Footer = {
  stopUrl: string
  stops: string
  preferencesUrl: string
  store: { name: string; address: string }
}

const footerTemplate =
  '\n\n---\n\n{{postalAddress}}\n\n[Stop {{stops}}]({{stopUrl}}) · [Choose what we email you]({{preferencesUrl}})\n'

const link = /\[([^[\]]+)\]\(([^()]+)\)/g

/**
 * Renders a template line without Markdown. A URL goes at the end of its line, so that mail programs do not link text
 * after it: inside a sentence the link text stays, and the URL follows below.
 */
function plainLine(line: string): string {
  const plain = line.replace(/^#+ |\*\*/g, '').replace(/^---$/, '')
  const links = [...plain.matchAll(link)].map(([, words = '', address = '']) => `${words}: ${address}`)
  if (links.length === 0) return plain
  const hasOther = /[^\s·]/.test(plain.replace(link, ''))
  return [...(hasOther ? [plain.replace(link, '$1')] : []), ...links].join('\n')
}

/** Reads a kind's template from its file. */
export function readFromContent(kind: MessageKind): Promise<string> {
  return readTextFile(new URL(`${kind}.md`, folder))
}

function fill(template: string, values: MessageValues, escape: (text: string) => string): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The mail needs a value for ${name}.`)
    if (typeof value !== 'string' && 'lines' in value)
      return value.lines.map(escape).join(escape === escapeMarkdown ? '<br>' : '\n')
    if (typeof value !== 'string' && 'links' in value)
      return value.links
        .map(({ words, url }) =>
          escape === escapeMarkdown ? `[${escape(words)}](${url})` : `${escape(words)}: ${url}`,
        )
        .join('\n\n')
    if (typeof value !== 'string') {
      if (escape !== escapeMarkdown) return value.map((row) => `${escape(row.left)}: ${escape(row.right)}`).join('\n')
      return [
        '| | |',
        '|:--|--:|',
        ...value.map((row) =>
          row.strong
            ? `| **${escape(row.left)}** | **${escape(row.right)}** |`
            : `| ${escape(row.left)} | ${escape(row.right)} |`,
        ),
      ].join('\n')
    }
    // URLs of links are made by us and stay unescaped.
    return name.endsWith('Url') ? value : escape(value)
  })
}

/** Escapes Markdown and HTML, and keeps URLs from becoming links: a value is only text. */
function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/[&<>"'\\`*_{}[\]()#+!|~:@-]|(?<=www)\./gi, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('\n', ' ')
}

function tidy(text: string): string {
  return text.replace(/\n{3,}/g, '\n\n').trim()
}

function headOf(brand: MailBrand | null): string {
  if (!brand)
    return `<p style="font-weight:800;letter-spacing:.02em;border-bottom:3px dashed #FFB400;display:inline-block;margin:0 0 24px">SIDEWALL</p>`
  const name = escapeMarkdown(brand.name)
  const logo =
    brand.logoUrl === null
      ? ''
      : `<img src="${brand.logoUrl}" alt="" height="40" style="background:#fff;vertical-align:middle;margin-right:12px">`
  return `<p style="background:${brand.color};color:${brand.textColor};padding:14px 16px;margin:0 0 24px;font-weight:800">${logo}${name} <span style="font-weight:400;font-size:13px">Powered by ${escapeMarkdown(brand.poweredBy)}</span></p>`
}

function page(subject: string, html: string, brand: MailBrand | null): string {
  // Mail programs support few styles; a table of amounts only needs its right column right-aligned.
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${subject.replace(/[&<>]/g, '')}</title></head><body style="margin:0;background:#FAF8F4"><div style="max-width:560px;margin:0 auto;padding:32px 24px;font:16px/1.5 -apple-system,Segoe UI,Roboto,sans-serif;color:#14161A">${headOf(brand)}${html
    .replaceAll('<table>', '<table style="width:100%;border-collapse:collapse">')
    .replaceAll('<td', '<td style="padding:6px 0;border-bottom:1px solid #E4DFD6"')
    .replace(/<thead>[^<]*(?:<(?!\/?thead>)[^<]*)*<\/thead>/g, '')}</div></body></html>`
}
