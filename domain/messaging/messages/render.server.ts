/**
 * Renders email from Markdown, with the subject in the front matter, and `{{name}}` or `{{hours hour}}` for values. One
 * template gives the text part and the HTML part.
 */
import { Marked } from 'marked'
import type { EmailTemplate } from './email-templates.sql.server.ts'
import type { MailTire, MessageKind, MessageValues } from './messages.ts'
import { fillPlaceholders } from '#platform/placeholders.ts'
import { visibleLine, visibleText } from '#platform/plain-text.ts'
import { readTextFile } from '#platform/text-file.ts'
import { escapeMarkdown } from '#platform/markdown-text.ts'

const folder = new URL('../../../content/mail/', import.meta.url)

/**
 * Renders an email from the released template or from `edited`, which staff wrote and in which HTML is only text.
 * Throws when the template uses a missing value. This is a defect and not the recipient's fault.
 */
export async function renderMessage(
  kind: MessageKind,
  values: MessageValues,
  {
    footer = null,
    brand = null,
    edited = null,
    readTemplate = readFromContent,
  }: {
    footer?: Footer | null
    brand?: MailBrand | null
    edited?: EmailTemplate | null
    readTemplate?: ReadTemplate
  } = {},
): Promise<RenderedMail> {
  const template = edited ?? templateOf(kind, await readTemplate(kind))
  const subject = visibleLine(fill(template.subject, values, visibleLine))
  const end = footer ? footerTemplate : ''
  const body = template.body + end
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
  const written = edited ? withoutHtml(template.body) + end : body
  const html = await new Marked({ gfm: true }).parse(fill(written, given, escapeMarkdown))
  return { subject, text: tidy(fill(text, given, visibleText)), html: page(subject, html, brand) }
}

export type RenderedMail = { subject: string; text: string; html: string }
export type ReadTemplate = (kind: MessageKind) => Promise<string>

/** Reads subject and text of a template file. Throws for one without a subject: a defect. */
export function templateOf(kind: MessageKind, source: string): EmailTemplate {
  const match = /^---\nsubject: "(?<subject>[^"\n]+)"\n---\n\n(?<body>[\s\S]+)$/.exec(source)
  if (!match?.groups) throw new Error(`content/mail/${kind}.md has no subject line.`)
  return { subject: match.groups['subject'] ?? '', body: (match.groups['body'] ?? '').trimEnd() }
}

/** Markdown with HTML tags shown as text. */
export function withoutHtml(markdown: string): string {
  return markdown.replaceAll('<', '&lt;')
}

/** The sender's brand if it's a branded store rather than ours. `textColor` is readable on `color`. */
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
 * Renders a template line without Markdown. A URL goes at the end of its line, so that email clients do not link text
 * after it. Within a sentence, the link text remains and the URL follows below.
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
  return fillPlaceholders(template, (name, counted) => {
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
    if (typeof value !== 'string' && 'tires' in value)
      return escape === escapeMarkdown
        ? tireTable(value.tires)
        : value.tires.map(({ name: tire, quantity }) => `${quantity} × ${escape(tire)}`).join('\n')
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
    return name.endsWith('Url') ? value : escape(counted(value))
  })
}

function tidy(text: string): string {
  return text.replace(/\n{3,}/g, '\n\n').trim()
}

/** Renders an order's tires as table rows with images, on one line so that Markdown preserves the HTML. */
function tireTable(tires: readonly MailTire[]): string {
  if (tires.length === 0) return ''
  const rows = tires.map(({ name, quantity, pictureUrl }) => {
    const picture =
      pictureUrl === null
        ? ''
        : `<td width="84" style="width:84px;padding:8px 12px 8px 0;vertical-align:middle"><img src="${escapeAttribute(pictureUrl)}" alt="" width="72" height="72" style="display:block;border:0"></td>`
    return `<tr>${picture}<td style="padding:8px 0;vertical-align:middle"><strong>${escapeMarkdown(name)}</strong><br>Quantity: ${quantity}</td></tr>`
  })
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%">${rows.join('')}</table>`
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}

function headOf(brand: MailBrand | null): string {
  if (!brand)
    return `<p style="font-weight:800;letter-spacing:.02em;border-bottom:3px dashed #FFB400;display:inline-block;margin:0 0 24px">SIDEWALL</p>`
  const name = escapeMarkdown(brand.name)
  const logo =
    brand.logoUrl === null
      ? ''
      : `<img src="${escapeAttribute(brand.logoUrl)}" alt="" height="40" style="background:#fff;vertical-align:middle;margin-right:12px;border:0">`
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%"><tr><td bgcolor="${brand.color}" style="background:${brand.color};color:${brand.textColor};padding:14px 16px;font-weight:800">${logo}${name} <span style="font-weight:400;font-size:13px">Powered by ${escapeMarkdown(brand.poweredBy)}</span></td></tr></table><p style="margin:0;line-height:24px;font-size:1px">&#160;</p>`
}

const contentWidthPx = 560
const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'
const font = "font-family:-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:1.5;color:#14161A"

/**
 * The document of a mail. Layout is by tables with a width, because Outlook for Windows renders with Word, which
 * ignores `max-width`: the comment gives it a table of a fixed width, and other programs narrow the one inside to the
 * screen.
 */
function page(subject: string, html: string, brand: MailBrand | null): string {
  const title = subject.replace(/[&<>]/g, '')
  const content = html
    .replaceAll(
      '<table>',
      '<table width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;border-collapse:collapse">',
    )
    .replaceAll(/<td(?= align|>)/g, '<td style="padding:6px 0;border-bottom:1px solid #E4DFD6"')
    .replace(/<thead>[^<]*(?:<(?!\/?thead>)[^<]*)*<\/thead>/g, '')
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light"><meta name="supported-color-schemes" content="light">',
    `<title>${title}</title></head><body style="margin:0;padding:0;background:#FAF8F4">`,
    `<table ${table} width="100%" bgcolor="#FAF8F4" style="width:100%;background:#FAF8F4"><tr><td align="center" style="padding:32px 16px">`,
    `<!--[if mso]><table ${table} width="${contentWidthPx}"><tr><td><![endif]-->`,
    `<table ${table} width="${contentWidthPx}" style="width:100%;max-width:${contentWidthPx}px"><tr><td align="left" style="${font}">`,
    headOf(brand),
    content,
    '</td></tr></table><!--[if mso]></td></tr></table><![endif]--></td></tr></table></body></html>',
  ].join('')
}
