/**
 * The words the glossary has put aside ("Not in names" in docs/glossary.md): no identifier, class of a style sheet or
 * file carries one. Prose, texts and SQL are left alone.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { listProjectFiles } from './project-files.ts'

/** Names other people gave: a state of RFC 5545, and an option of MapLibre. */
const theirs = new Set(['CANCELLED', 'cooperativeGestures'])

/** "letGo", "let-go" and "LET_GO" are the words let and go. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .split(/[^A-Za-z]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
}

/**
 * What a name is to be called instead, where it carries a word that is put aside; undefined where it does not. `asides`
 * are pairs of such words and their better.
 */
export function betterFor(name: string, asides: ReadonlyMap<string, string>): string | undefined {
  const said = ` ${wordsOf(name).join(' ')} `
  for (const [words, better] of asides) if (said.includes(` ${words} `)) return better
  return undefined
}

/** The table of the glossary: words put aside, and what to say. */
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

/** A line for each name that carries such a word, once per file. */
export async function checkNames(root: string): Promise<string[]> {
  const asides = readAsides(await readFile(join(root, 'docs/glossary.md'), 'utf8'))
  if (asides.size === 0) return ['docs/glossary.md lists no words that are put aside.']
  const paths = (await listProjectFiles(root)).filter((path) => !/^(?:db\/migrations|content)\//.test(path))
  const complaints = paths.flatMap((path) => complain(path, [path.replace(/^.*\//, '').replace(/\.\w+$/, '')]))
  for (const path of paths) complaints.push(...complain(path, await namesIn(root, path)))
  return complaints

  function complain(path: string, names: Iterable<string>): string[] {
    return [...new Set(names)].flatMap((name) => {
      const better = theirs.has(name) ? undefined : betterFor(name, asides)
      return better === undefined ? [] : [`${path} names ${name}; say ${better} (docs/glossary.md).`]
    })
  }
}

async function namesIn(root: string, path: string): Promise<string[]> {
  if (!/\.(?:tsx?|mjs|css)$/.test(path)) return []
  const source = await readFile(join(root, path), 'utf8')
  if (path.endsWith('.css')) return [...source.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)
  return identifiersIn(path, source)
}

/** Every identifier of a program, declared or used, and every key that is written as a name. */
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
