/**
 * The words the glossary rules out ("Not in names" in docs/glossary.md) must not appear in identifiers, CSS classes or
 * file names. Prose, strings and SQL are not checked.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { listProjectFiles } from './project-files.ts'

/** Names defined elsewhere, by RFC 5545, Wheel-Size, MapLibre, and the Model Context Protocol. */
const theirs = new Set(['CANCELLED', 'centre_bore', 'cooperativeGestures', 'openWorldHint', 'rear_axis_centre_bore'])

/** Splits "letGo", "let-go" and "LET_GO" into the words let and go. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .split(/[^A-Za-z]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
}

/**
 * Returns the replacement for a banned word in a name, or undefined if the name has no banned words. `asides` maps
 * banned words to replacements.
 */
export function betterFor(name: string, asides: ReadonlyMap<string, string>): string | undefined {
  const said = ` ${wordsOf(name).join(' ')} `
  for (const [words, better] of asides) if (said.includes(` ${words} `)) return better
  return undefined
}

/** Reads the glossary's table of ruled-out words and their replacements. */
export function readAsides(glossary: string): Map<string, string> {
  const [, table = ''] = glossary.split('\n## Not in names\n')
  const rows = [...table.matchAll(/^\| (?<words>[a-z ,]+) \| (?<better>[^|]+) \|$/gm)].filter(
    ({ groups }) => groups?.['words'] !== 'not',
  )
  return new Map(
    rows.flatMap(({ groups = {} }) =>
      (groups['words'] ?? '').split(', ').map((words) => [words, groups['better']?.trim() ?? ''] as const),
    ),
  )
}

/** Returns a line for each name with such a word, once per file. */
export async function checkNames(root: string): Promise<string[]> {
  const asides = readAsides(await readFile(join(root, 'docs/glossary.md'), 'utf8'))
  if (asides.size === 0) return ['docs/glossary.md lists no words that are put aside.']
  const paths = (await listProjectFiles(root)).filter((path) => !/^(?:db\/migrations|content)\//.test(path))
  const complaints = paths.flatMap((path) => complain(path, [path.replace(/^.*\//, '').replace(/\.\w+$/, '')]))
  const suspicious = textWithOne(asides)
  for (const path of paths) complaints.push(...complain(path, await namesIn(root, path, suspicious)))
  return complaints

  function complain(path: string, names: Iterable<string>): string[] {
    return [...new Set(names)].flatMap((name) => {
      const better = theirs.has(name) ? undefined : betterFor(name, asides)
      return better === undefined ? [] : [`${path} names ${name}; say ${better} (docs/glossary.md).`]
    })
  }
}

/** Matches every text with a name that has a banned word. Most files have none, and parsing them takes seconds. */
export function textWithOne(asides: ReadonlyMap<string, string>): RegExp {
  return new RegExp([...asides.keys()].map((words) => words.replaceAll(' ', '[^a-z]*')).join('|'), 'i')
}

async function namesIn(root: string, path: string, suspicious: RegExp): Promise<string[]> {
  if (!/\.(?:tsx?|mjs|css)$/.test(path)) return []
  const source = await readFile(join(root, path), 'utf8')
  if (!suspicious.test(source)) return []
  if (path.endsWith('.css')) return [...source.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)
  return identifiersIn(path, source)
}

/** Every identifier in a program, declared or used, and every key written as a name. */
export function identifiersIn(path: string, source: string): string[] {
  const names: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each)
    else if (typeof node === 'object' && node !== null) {
      const { type, name } = node as { type?: unknown; name?: unknown }
      if ((type === 'Identifier' || type === 'JSXIdentifier') && typeof name === 'string') names.push(name)
      for (const each of Object.values(node)) visit(each)
    }
  }
  visit(parseSync(path, source).program)
  return names
}
