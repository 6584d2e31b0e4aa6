/**
 * Checks that links, files, commands, and names in the code mentioned in documents exist. Readers stop trusting a
 * document after one error.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join, matchesGlob, normalize } from 'node:path'
import { listProjectFiles } from './project-files.ts'

/** Returns one line for each broken link, path, `npm run` command and code name in the Markdown files under `root`. */
export async function checkDocs(root: string): Promise<string[]> {
  const files = await listProjectFiles(root)
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const known = knownPaths(files)
  const names = await namesOfCode(root, files)
  const complaints: string[] = []
  for (const document of files.filter((file) => file.endsWith('.md'))) {
    const text = await readFile(join(root, document), 'utf8')
    const complain = (what: string) => complaints.push(`${document} names ${what}, which does not exist.`)
    for (const link of findLinks(text)) {
      if (!(await leadsSomewhere(link, document, root, known))) complain(`the link ${link}`)
    }
    for (const path of findPaths(text, known)) {
      if (!exists(path, dirname(document), known)) complain(`the path ${path}`)
    }
    for (const [command, name = ''] of text.matchAll(/\bnpm run ([\w:-]+)/g)) {
      if (!Object.hasOwn(scripts, name)) complain(`the command "${command}"`)
    }
    if (!speaksOfCode(document)) continue
    for (const name of findNames(text)) if (!names.has(name)) complain(`the name ${name}`)
  }
  return complaints
}

/** Documents that explain code by its names. Decisions may mention code that no longer exists. */
function speaksOfCode(document: string): boolean {
  return document === 'docs/architecture.md' || /^(?:domain\/[\w-]+\/[\w-]+|pictures)\/README\.md$/.test(document)
}

/**
 * Returns the names of functions, types, columns, and constraints: camelCase or snake_case, in code or in a diagram.
 */
function findNames(text: string): Set<string> {
  const code = [...text.matchAll(/```mermaid\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, inline]) => block ?? inline ?? '',
  )
  const words = code.flatMap((part) => part.split(/[^\w./-]+/)).filter((word) => !word.includes('/'))
  return new Set(
    words
      .flatMap((word) => word.split('.'))
      .filter((word) => /^[A-Za-z]+[a-z]\d*[A-Z]\w*$|^[a-z]+(_[a-z]+)+$/.test(word) && word !== 'sequenceDiagram'),
  )
}

/** Every word of the project's programs and migrations. */
async function namesOfCode(root: string, files: readonly string[]): Promise<Set<string>> {
  const names = new Set<string>()
  for (const file of files.filter((each) => /\.(?:tsx?|mjs|sql)$/.test(each)))
    for (const [word] of (await readFile(join(root, file), 'utf8')).matchAll(/\w+/g)) names.add(word)
  return names
}

/** Files and their folders. */
function knownPaths(files: string[]): Set<string> {
  const known = new Set(files)
  for (const file of files) for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) known.add(folder)
  return known
}

/** Targets of links and pictures that are not web addresses. */
function findLinks(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^([a-z]+:|\/|\{\{)/.test(target))
}

async function leadsSomewhere(link: string, document: string, root: string, known: Set<string>): Promise<boolean> {
  const [path = '', heading] = link.split('#')
  const target =
    path === '' ? document : normalize(join(dirname(document), decodeURIComponent(path))).replace(/\/$/, '')
  if (!known.has(target)) return false
  return (
    heading === undefined ||
    !target.endsWith('.md') ||
    headingsOf(await readFile(join(root, target), 'utf8')).has(heading)
  )
}

/** The anchors that code hosts generate for headings. */
function headingsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}

/**
 * Returns words in code that look like paths in this project. They start with one of its folders or have one of its
 * file extensions.
 */
function findPaths(text: string, known: Set<string>): string[] {
  const code = [...text.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, inline]) => block ?? inline ?? '',
  )
  const words = code
    .flatMap((part) => part.split(/[\s'"(),;=]+/))
    .map((word) => word.replace(/^(\.\/|#)/, '').replace(/[.:]+$/, ''))
  return words.filter((word) => {
    if (!/^[\w.*{},@-]+(\/[\w.*{},@$-]+)*\/?$/.test(word)) return false
    const [first = ''] = word.split('/')
    return word.includes('/')
      ? known.has(first) && !first.includes('.')
      : /^[\w-]{2,}(\.[\w-]+)*\.(ts|tsx|mjs|sql|md|json)$/.test(word)
  })
}

/** Looks in the root, the document's folder, and, for a bare file name, everywhere. `*` matches any part. */
function exists(path: string, folder: string, known: Set<string>): boolean {
  const wanted = path.replace(/\/$/, '')
  const candidates = [wanted, normalize(join(folder, wanted))]
  if (!wanted.includes('/')) candidates.push(`**/${wanted}`)
  return candidates.some(
    (candidate) =>
      known.has(candidate) || (/[*{]/.test(candidate) && [...known].some((file) => matchesGlob(file, candidate))),
  )
}
