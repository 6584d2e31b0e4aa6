/** Validates staff text that replaces a page's released text. */
import type { PageText } from '#domain/kernel/content/content.ts'
import { placeholdersOf } from '#platform/placeholders.ts'
import { fillConstants } from './constants.server.ts'
import { readSource } from './library.server.ts'

/** Matches an amount, a percentage, or a promised quantity typed by hand. */
export const typedNumber =
  /\$\d|\b\d[\d,.]{0,12}(?:-\d{1,6})?\s?(?:%|percent|minutes?|hours?|(?:business )?days?|months?|miles?|tires?|lb|pounds|pm\b|am\b|MB)/i

/** Matches browser storage names in a policy's code marks. */
const named = /`([^`\n]+)`/g

/**
 * Returns why the body of `text` can't be published for the page `path`. Returns undefined if it can. Its constants
 * must exist. A policy must contain every constant and name of the released text because the store depends on them, and
 * can't contain numbers typed by hand.
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
