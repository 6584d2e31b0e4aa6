/** What changed, in words, for the audit log and each history. */
import { auditFields, type AuditField } from './audit-fields.ts'
import { plainText, type AuditedField, type Value } from './audit-values.ts'

type Entry = Readonly<Record<string, unknown>>
type Line = { field: string; label: string; text: string; isContext: boolean }

/**
 * Returns what an entry changed, such as "Cut-off on Monday 2:00 PM → 3:00 PM; Handling time 1 day → 2 days". Values that
 * stayed are left out. Empty if the entry records no values.
 */
export function changeText(recorded: { before: unknown; after: unknown }): string {
  const [before, after] = [entryOf(recorded.before), entryOf(recorded.after)]
  const [old, now] = [linesOf(before), linesOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((key) => lineText({ before, after }, old.get(key), now.get(key)))
    .filter(Boolean)
    .join('; ')
}

function lineText({ before, after }: { before: Entry; after: Entry }, was: Line | undefined, is: Line | undefined) {
  const { field, label, text, isContext } = is ?? was ?? noLine
  if (was?.text === is?.text) return isContext ? `${label} ${text}` : ''
  if (Object.hasOwn(before, field) && Object.hasOwn(after, field))
    return `${label} ${was?.text ?? empty} → ${is?.text ?? empty}`
  return is || Object.keys(after).length === 0 ? `${label} ${text}` : `${label} was ${text}`
}

const empty = 'none'
const noLine: Line = { field: '', label: '', text: '', isContext: false }

function entryOf(recorded: unknown): Entry {
  return typeof recorded === 'object' && recorded !== null ? (recorded as Entry) : {}
}

/** The values of an entry that aren't empty, each under a key that is the same before and after. */
function linesOf(entry: Entry): Map<string, Line> {
  return new Map(
    Object.entries(entry).flatMap(([field, value]): [string, Line][] => {
      if (value === null || value === undefined || value === '') return []
      const { label, read, parts, isContext = false } = fieldOf(field)
      const values: [string, string][] = parts?.(valueOf(value)) ?? [[label, read(valueOf(value), entry)]]
      return values.map(([name, text]) => [`${field} ${name}`, { field, label: name, text, isContext }])
    }),
  )
}

function valueOf(value: unknown): Value {
  if (Array.isArray(value)) return value.map((each) => plainText(valueOf(each))).join(', ')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value)
}

/** A field that only an earlier release recorded gets its name as its label. */
function fieldOf(name: string): AuditedField {
  return isAuditField(name) ? auditFields[name] : { label: labelOf(name), read: plainText }
}

function isAuditField(name: string): name is AuditField {
  return Object.hasOwn(auditFields, name)
}

/** "fromDay" → "From day" */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
