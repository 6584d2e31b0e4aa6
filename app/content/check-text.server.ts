/** Whether a text that staff wrote may take the place of a page's released one. */
import type { PageText } from '#domain/content/content.ts'
import { placeholdersOf } from '#platform/placeholders.ts'
import { fillConstants } from './constants.server.ts'
import { readSource } from './library.server.ts'

/** An amount, a percentage or a count of something the store promises, typed by hand. */
export const typedNumber =
  /\$\d|\b\d[\d,.]{0,12}(?:-\d{1,6})?\s?(?:%|percent|minutes?|hours?|(?:business )?days?|months?|miles?|tires?|lb|pounds|pm\b|am\b|MB)/i

/** Names in code marks: what a policy says it keeps in a browser. */
const named = /`([^`\n]+)`/g

/**
 * Returns why the body of `text` cannot be published for the page `path`; undefined if it can. Values must exist. A
 * policy keeps every value and every name of the released one, since the store acts on them, and types no number by hand.
 */
export async function whyNotText(path: string, { body }: Pick<PageText, 'body'>): Promise<string | undefined> {
  if (!isFilled(path, body))
    return 'It asks for a value that does not exist, or leaves an {{#if}} open. Use those of the released text.'
  if (!path.startsWith('policies/')) return undefined
  const released = await readSource(path)
  const lost = [...valuesOf(released.body)].filter((each) => !valuesOf(body).has(each))
  if (lost.length > 0)
    return `A policy must keep what the store acts on, word for word. Missing: ${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ` and ${lost.length - 5} more` : ''}.`
  const typed = body.split('\n').find((line) => typedNumber.test(line))
  return typed === undefined
    ? undefined
    : `Use the store’s own value in place of a number in “${typed.slice(0, 80)}”, such as {{returnDays day}}.`
}

function isFilled(path: string, body: string): boolean {
  try {
    return (['own', 'branded'] as const).every((store) => !fillConstants(body, path, { store }).includes('{{'))
  } catch {
    return false
  }
}

/** "{{returnDays}}" and "`sw_cart`", each once. */
function valuesOf(body: string): Set<string> {
  return new Set([
    ...placeholdersOf(body).map((name) => `{{${name}}}`),
    ...[...body.matchAll(named)].map(([whole]) => whole),
  ])
}
