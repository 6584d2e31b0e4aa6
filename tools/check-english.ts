/**
 * Counts translated-sounding phrasings (tools/english-patterns.ts) per 10,000 words, so that our English only gets
 * better. `npm run english` prints the counts, and `npm run english -- --show KEY` lists every hit of one pattern.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { englishPatterns, type EnglishPattern } from './english-patterns.ts'
import { project } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

/** Comments in code, Markdown outside content/, sentences that people see, and titles of tests. */
const corpora = ['comments', 'docs', 'ui', 'tests'] as const
type Corpus = (typeof corpora)[number]

/** A comment, paragraph, string or title, with its place. */
type Passage = { corpus: Corpus; path: string; line: number; text: string }

/** Allowed hits per 10,000 words. Lower a limit when its corpus gets better; never raise it. */
const limits: Record<Corpus, { max: number; setOn: string }> = {
  comments: { max: 5, setOn: '2026-11-27' },
  docs: { max: 28, setOn: '2026-11-27' },
  ui: { max: 22, setOn: '2026-11-27' },
  tests: { max: 35, setOn: '2026-11-27' },
}

const generated =
  /^(?:db\/types\.ts|api\/client\/operations\.ts|docs\/settings\.md|THIRD-PARTY\.md)$|CHANGELOG|LICENSE|\.d\.ts$/
const self = /^tools\/(?:english-patterns|check-english\.test)\.ts$/
const isTest = (path: string): boolean => /^(?:tests|bench)\/|\.(?:test|testing)\.tsx?$/.test(path)

/** Returns a line for each corpus above its limit. */
export async function checkEnglish(root: string): Promise<string[]> {
  const passages = await readPassages(root)
  return corpora.flatMap((corpus) => {
    const { max, setOn } = limits[corpus]
    const rate = ratePer10000(passages.filter((passage) => passage.corpus === corpus))
    return rate <= max
      ? []
      : [
          `${corpus} has ${rate.toFixed(1)} phrasings per 10,000 words that sound translated, above ${max} (set on ${setOn}). ` +
            'Run `npm run english` for the counts and `npm run english -- --show KEY` for the sentences.',
        ]
  })
}

/** Number of hits of one pattern in a text. */
export function countHits({ regex, ordinary }: EnglishPattern, text: string): number {
  if (!regex.test(text) || ordinary?.test(text)) return 0
  return [...text.matchAll(new RegExp(regex, `${regex.flags}g`))].length
}

function ratePer10000(passages: readonly Passage[], patterns = englishPatterns): number {
  let hits = 0
  let words = 0
  for (const { text } of passages) {
    words += text.split(/\s+/).length
    for (const pattern of patterns) hits += countHits(pattern, text)
  }
  return words === 0 ? 0 : (hits * 10_000) / words
}

async function readPassages(root: string): Promise<Passage[]> {
  const paths = (await listProjectFiles(root)).filter(
    (path) => /\.(?:tsx?|mjs|md|yaml)$/.test(path) && !generated.test(path) && !self.test(path),
  )
  const passages = await Promise.all(
    paths.map(async (path) => {
      const source = await readFile(join(root, path), 'utf8')
      if (/\.(?:tsx?|mjs)$/.test(path)) return passagesOfCode(path, source)
      if (path.endsWith('.md')) return passagesOfMarkdown(path, source)
      return path.startsWith('content/') ? passagesOfYaml(path, source) : []
    }),
  )
  return passages.flat()
}

/** Comments, sentences in strings and JSX, and test titles of a program. */
export function passagesOfCode(path: string, source: string): Passage[] {
  const found: Passage[] = []
  const add = (corpus: Corpus, at: number, text: string): void => {
    const clean = text
      .replaceAll(/`[^`]*`|https?:\/\/[^\s)]*|\{@[^}]*\}/g, 'x')
      .replaceAll(/\s+/g, ' ')
      .trim()
    if (clean.split(' ').length > 2) found.push({ corpus, path, line: lineAt(source, at), text: clean })
  }
  const tokens =
    /\/\*[\s\S]*?\*\/|(?:(?<=^|\n)[ \t]*\/\/[^\n]*\n)+|`(?:\\[\s\S]|[^`\\])*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g
  let code = ''
  let last = 0
  for (const { 0: token, index } of source.matchAll(tokens)) {
    const before = source.slice(Math.max(last, index - 80), index)
    code += source.slice(last, index).replaceAll(/[^\S\n]/g, ' ')
    last = index + token.length
    if (/^\s*\/[*/]/.test(token)) {
      for (const part of token.replaceAll(/^\s*(?:\/\*+|\*\/|\*|\/\/+)|\*\/\s*$/gm, '').split(/\n\s*\n|\n\s*(?=[-@])/))
        add('comments', index, part)
      code += token.replaceAll(/[^\n]/g, ' ')
      continue
    }
    code += token.replaceAll(/[^\n]/g, '=')
    const text = token.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, 'X')
    if (isTest(path)) {
      if (/\b(?:test|it|describe)(?:\.\w+)*\(\s*$|\)\(\s*$/.test(before)) add('tests', index, text)
    } else if (/^[A-Z]/.test(text) && /[a-z]+ [a-z]+/.test(text) && !/[{};=]/.test(text)) add('ui', index, text)
  }
  code += source.slice(last)
  if (path.endsWith('.tsx') && !isTest(path))
    for (const { 0: text, index } of code.matchAll(/(?<=[>}])[^<>{}=;]*[a-z] [a-z][^<>{}=;]*(?=[<{])/g))
      if (!/[()|&]/.test(text)) add('ui', index + text.length - text.trimStart().length, text)
  return found
}

/** Paragraphs, headings, list items and table rows; the copy in content/ is text that customers see. */
export function passagesOfMarkdown(path: string, source: string): Passage[] {
  const corpus = path.startsWith('content/') ? 'ui' : 'docs'
  const prose = source.replaceAll(/^[ \t]*(?:```|~~~)[\s\S]*?^[ \t]*(?:```|~~~).*$/gm, (code) =>
    code.replaceAll(/[^\n]/g, ' '),
  )
  const found: Passage[] = []
  for (const { 0: block, index } of prose.matchAll(/\S[^\n]*(?:\n(?![ \t]*(?:\n|[-*+#|]|\d+\.))[^\n]+)*/g)) {
    const text = block
      .replaceAll(/`[^`]*`|https?:\/\/[^\s)]*/g, 'x')
      .replaceAll(/\]\([^)]*\)|<[^>]*>/g, '')
      .replaceAll(/[[*_#>|\s]+/g, ' ')
      .trim()
    if (text.split(' ').length > 2) found.push({ corpus, path, line: lineAt(source, index), text })
  }
  return found
}

function passagesOfYaml(path: string, source: string): Passage[] {
  return source.split('\n').flatMap((row, index) => {
    const text = /^[ -]*[a-z]+: "?(?<text>[A-Z].* .*?)"?$/.exec(row)?.groups?.['text']
    return text === undefined ? [] : [{ corpus: 'ui' as const, path, line: index + 1, text }]
  })
}

function lineAt(source: string, index: number): number {
  return source.slice(0, index).split('\n').length
}

if (import.meta.main) {
  const passages = await readPassages(project)
  const key = process.argv[process.argv.indexOf('--show') + 1]
  if (process.argv.includes('--show')) {
    const pattern = englishPatterns.find((each) => each.key === key)
    if (!pattern) throw new Error(`Choose a pattern: ${englishPatterns.map((each) => each.key).join(', ')}.`)
    console.log(pattern.advice)
    for (const { corpus, path, line, text } of passages)
      if (countHits(pattern, text) > 0) console.log(`${path}:${line} (${corpus}) ${text}`)
  } else {
    const row = (name: string, cells: readonly string[]): string =>
      name.padEnd(12) + cells.map((cell) => cell.padStart(10)).join('')
    const of = (corpus: Corpus): Passage[] => passages.filter((passage) => passage.corpus === corpus)
    console.log(row('per 10,000', corpora))
    for (const pattern of englishPatterns)
      console.log(
        row(
          pattern.key,
          corpora.map((corpus) => ratePer10000(of(corpus), [pattern]).toFixed(1)),
        ),
      )
    console.log(
      row(
        'all',
        corpora.map((corpus) => ratePer10000(of(corpus)).toFixed(1)),
      ),
    )
    console.log(
      row(
        'limit',
        corpora.map((corpus) => String(limits[corpus].max)),
      ),
    )
  }
}
