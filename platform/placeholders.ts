/**
 * Placeholders in pages, policies, and email, such as `{{returnDays}}`, or `{{returnDays day}}` with a noun in the
 * right number.
 */
import { pluralForm } from './count-text.ts'

const placeholder = /\{\{(\w+)(?: ([a-z ]+)(?:\|([a-z ]+))?)?\}\}/g

/**
 * Replaces each placeholder in `text` with the result of `valueOf` for its name. A noun follows the value in its
 * singular or plural, so `{{hours hour}}` is "1 hour" or "48 hours", and `{{rim inch|inches}}` has an irregular plural.
 * `counted` adds the noun. `valueOf` calls it before escaping.
 */
export function fillPlaceholders(
  text: string,
  valueOf: (name: string, counted: (value: string) => string) => string,
): string {
  return text.replace(placeholder, (_, name: string, one?: string, many: string = `${one}s`) =>
    // A range such as "2-4" and a number such as "6,000" are several.
    valueOf(name, (value) => (one === undefined ? value : `${value} ${pluralForm(Number(value), one, many)}`)),
  )
}

/** The names of the placeholders in `text`, each once. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))]
}
