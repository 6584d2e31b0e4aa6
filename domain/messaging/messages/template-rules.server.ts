/** What an edited email template may contain. */
import { Marked, type Token } from 'marked'
import type { EmailTemplate } from './email-templates.sql.server.ts'
import type { MessageKind } from './messages.ts'
import { withoutHtml } from './render.server.ts'
import { requiredValues, storeValueNames } from './template-values.ts'
import { pluralForm } from '#platform/count-text.ts'
import { fillPlaceholders, placeholdersOf } from '#platform/placeholders.ts'

/** A kind's variable. `isBlock` is for tables and lists, which need a separate line. */
export type TemplateVariable = { name: string; isRequired: boolean; isBlock: boolean }

/** Placeholders that expand to blocks (tables, lists, and links). */
const blocks: ReadonlySet<string> = new Set([
  'answer',
  'answerLink',
  'canceled',
  'figures',
  'items',
  'pickTime',
  'pickup',
  'recalledTires',
  'rows',
  'times',
  'words',
])

/** The variables that a template of this kind may use, by name. */
export function variablesOf(kind: MessageKind, released: EmailTemplate): TemplateVariable[] {
  const used = placeholdersOf(`${released.subject}\n${released.body}`)
  const required = new Set(requiredValues(kind, placeholdersOf(released.body)))
  return [...new Set([...used, ...storeValueNames])]
    .toSorted((one, other) => one.localeCompare(other, 'en'))
    .map((name) => ({ name, isRequired: required.has(name), isBlock: blocks.has(name) }))
}

/** A template's errors by field; empty if it is valid. */
export type TemplateErrors = { subject?: string; body?: string }

/** Checks the variables and link targets of an edited template of this kind. */
export function checkTemplate(
  kind: MessageKind,
  released: EmailTemplate,
  { subject, body }: EmailTemplate,
): TemplateErrors {
  const variables = variablesOf(kind, released)
  const wrongSubject = variableError(subject, variables) ?? blockInSubject(subject, variables)
  const wrongBody =
    variableError(body, variables) ?? missing(body, variables) ?? blockInLine(body, variables) ?? linkError(body)
  return { ...(wrongSubject && { subject: wrongSubject }), ...(wrongBody && { body: wrongBody }) }
}

const braces = (name: string) => `{{${name}}}`

/** A placeholder that this kind doesn't have, with the allowed ones. */
function variableError(text: string, variables: readonly TemplateVariable[]): string | undefined {
  const names = new Set(variables.map(({ name }) => name))
  const unknown = placeholdersOf(text).find((name) => !names.has(name))
  const allowed = `Use ${[...names].map(braces).join(', ')}.`
  if (unknown !== undefined) return `${braces(unknown)} isn’t a variable of this email. ${allowed}`
  const rest = fillPlaceholders(text, () => '')
  const at = rest.search(/\{\{|\}\}/)
  return at === -1 ? undefined : `“${rest.slice(at, at + 40).trim()}” isn’t a variable of this email. ${allowed}`
}

function missing(body: string, variables: readonly TemplateVariable[]): string | undefined {
  const used = new Set(placeholdersOf(body))
  const lost = variables.filter(({ name, isRequired }) => isRequired && !used.has(name)).map(({ name }) => braces(name))
  return lost.length === 0
    ? undefined
    : `Recipients need ${lost.join(', ')}. Put ${pluralForm(lost.length, 'it', 'them')} back.`
}

function blockInSubject(subject: string, variables: readonly TemplateVariable[]): string | undefined {
  const used = placeholdersOf(subject)
  const block = variables.find(({ name, isBlock }) => isBlock && used.includes(name))
  return block && `${braces(block.name)} is a table or list. Use it in the text only.`
}

function blockInLine(body: string, variables: readonly TemplateVariable[]): string | undefined {
  const blockNames = new Set(variables.filter(({ isBlock }) => isBlock).map(({ name }) => name))
  for (const line of body.split('\n')) {
    const block = placeholdersOf(line).find((name) => blockNames.has(name))
    if (block !== undefined && line.trim() !== braces(block))
      return `${braces(block)} is a table or list. Put it on a separate line.`
  }
  return undefined
}

/** Links lead to an address of the store's making, or to one that is written out. */
const linkTarget = /^(?:\{\{\w+Url\}\}|https:\/\/[^\s{}]+|http:\/\/[^\s{}]+|mailto:[^\s{}]+|tel:[\d+() -]+)$/

/** Limits nested quotes and lists on one line, because the Markdown library recurses into each. */
const deepNesting = /^(?:[ \t]{0,8}(?:>|[-*+]|\d{1,9}[.)])){8}/m

function linkError(body: string): string | undefined {
  if (deepNesting.test(body)) return 'Quotes and lists are nested too deeply. Use fewer > and - at the start of a line.'
  let wrong: string | undefined
  const marked = new Marked({ gfm: true })
  void marked.walkTokens(marked.lexer(withoutHtml(body)), (token: Token) => {
    if (token.type === 'image') wrong ??= 'Pictures aren’t supported, because many programs block them.'
    if (token.type === 'link' && !linkTarget.test(String(token['href'])))
      wrong ??= `A link can’t lead to “${String(token['href']).slice(0, 60)}”. Start it with https://, mailto: or tel:, or use only a variable that ends in Url.`
  })
  return wrong
}
