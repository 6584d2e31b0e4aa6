/**
 * Finds the source files affected by changes since all sources passed a check, or since a commit. A file is affected if
 * it changed, or if it imports an affected file, because its types can depend on it.
 */
import { createHash } from 'node:crypto'
import { glob, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { join as joinPaths } from 'node:path/posix'
import { listProjectFiles } from './project-files.ts'
import { rotations } from './rotation.ts'

const isSource = (path: string) => /\.[cm]?[jt]sx?$/.test(path)
/** Files that apply to all sources. */
const isForAll = (path: string) =>
  /^(?:package(?:-lock)?\.json|\.oxlintrc\.json|tsconfig[^/]*\.json|tools\/lint-[^/]+\.mjs|app\/routes\.ts)$/.test(path)
/** Declarations that apply to all sources. */
const declaresForAll = /\bdeclare (?:global|module)\b/
/** The folder for generated route types, which depend on the route and its layouts. */
const generated = '.react-router/types/'
/** With more affected files, checking all of them takes about as long. */
const maxShare = 0.4

type Hashes = Readonly<Record<string, string>>

/** What a run of `npm test` checks at least: the paths that changed since a checked commit, and a tenth of the sources. */
export type Since = { readonly changed: readonly string[]; readonly rotation: number }

/**
 * Returns the affected source files of the project at `root`, and null if all of them have to be checked. Without a
 * record of a check that passed, those affected `since` and a tenth are enough, if it is given. `keep` records in
 * `stateFile` that the current sources passed, unless only a part was checked.
 */
export async function readChangedSources(
  root: string,
  stateFile: string,
  since?: Since,
): Promise<{ affected: string[] | null; isPart: boolean; keep: () => Promise<void> }> {
  const paths = (await listProjectFiles(root)).filter(
    (path) => isSource(path) || path.endsWith('.json') || isForAll(path),
  )
  const texts = new Map<string, string>()
  const hashes: Record<string, string> = { node: process.version }
  for (const path of paths) {
    const text = await readFile(join(root, path), 'utf8')
    if (isSource(path)) texts.set(path, text)
    hashes[path] = createHash('sha256').update(text).digest('base64')
  }
  for await (const path of glob(`${generated}**/*.ts`, { cwd: root }))
    texts.set(path, await readFile(join(root, path), 'utf8'))
  const before = await readHashes(stateFile)
  const unlike = Object.keys({ ...before, ...hashes }).filter((path) => before[path] !== hashes[path])
  const recorded = affectedBy(unlike, texts)
  const part = recorded === null && since !== undefined ? affectedBy(since.changed, texts) : null
  return {
    affected: part === null ? recorded : [...new Set([...part, ...tenthOf(texts, since?.rotation)])].toSorted(),
    isPart: part !== null,
    async keep() {
      if (part !== null) return
      await mkdir(dirname(stateFile), { recursive: true })
      // Another clone may read or write it.
      const written = `${stateFile}.${process.pid}`
      await writeFile(written, JSON.stringify(hashes))
      await rename(written, stateFile)
    },
  }
}

function tenthOf(texts: ReadonlyMap<string, string>, rotation = 0): string[] {
  const sources = [...texts.keys()].filter((path) => !path.startsWith(generated)).toSorted()
  return sources.filter((_, index) => index % rotations === rotation)
}

async function readHashes(stateFile: string): Promise<Hashes> {
  const text = await readFile(stateFile, 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text) as Hashes
  } catch {
    // The process that wrote it was stopped.
    return {}
  }
}

function affectedBy(changed: readonly string[], texts: ReadonlyMap<string, string>): string[] | null {
  if (changed.some((path) => path === 'node' || isForAll(path) || declaresForAll.test(texts.get(path) ?? '')))
    return null
  const importers = new Map<string, string[]>()
  for (const [path, text] of texts)
    for (const target of importsOf(path, text)) importers.getOrInsertComputed(target, () => []).push(path)
  const affected = new Set(changed)
  for (const path of affected) for (const importer of importers.get(path) ?? []) affected.add(importer)
  const sources = [...affected].filter((path) => texts.has(path) && !path.startsWith(generated))
  return sources.length > texts.size * maxShare ? null : sources.toSorted()
}

/** Returns the project files that a source imports, also by their types. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"?]+)/g)].flatMap(([, specifier = '']) => {
    if (specifier === '#application') return ['application.ts']
    if (specifier.startsWith('#')) return [specifier.slice(1)]
    if (!specifier.startsWith('.')) return []
    const target = joinPaths(dirname(path), specifier)
    if (specifier.startsWith('./+types/')) return [generated + target]
    // Generated types name a module by the .js file it would become.
    const stem = path.startsWith(generated) && target.slice(generated.length).replace(/\.js$/, '')
    return stem === false ? [target] : [`${stem}.ts`, `${stem}.tsx`]
  })
}
