/**
 * No input may cause catastrophic backtracking in the product's regular expressions: hostile texts are generated from
 * each pattern, and the characters read while matching are counted. More than linear growth is a defect, however fast
 * the machine.
 */
import { readFileSync } from 'node:fs'
import { env } from 'node:process'
import { check } from 'recheck'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readChangedPaths } from './changed-paths.ts'
import { listProjectFiles } from './project-files.ts'
import { inTurn } from './rotation.testing.ts'

type Pattern = { source: string; flags: string }

/** Modules that compose patterns when they are loaded. */
const composing = [
  'api/schemas.ts',
  'domain/catalog/sidewall-reading/read-sizes.ts',
  'domain/kernel/tire-sizes/tire-marking.ts',
]

/**
 * The search is limited by characters read, not time, and uses a fixed seed, so that results are reproducible. The one
 * remaining time limit ends the confirmation of a finding, which would read a billion characters.
 */
const counted = { timeout: null, incubationTimeout: null, seedingTimeout: null, randomSeed: 1 }

async function faultOf({ source, flags }: Pattern): Promise<string | undefined> {
  const checked = await check(source, flags, counted)
  if (checked.status === 'safe') return undefined
  return checked.status === 'vulnerable'
    ? `${checked.complexity.summary}, by ${checked.attack.pattern}`
    : checked.status
}

function patternsIn(path: string): { patterns: Pattern[]; isComposing: boolean } {
  const patterns: Pattern[] = []
  let isComposing = false
  const noteCall = ({ callee }: ESTree.NewExpression | ESTree.CallExpression) => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') isComposing = true
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) patterns.push({ source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression: noteCall,
    CallExpression: noteCall,
  }).visit(parseSync(path, readFileSync(path, 'utf8')).program)
  return { patterns, isComposing }
}

const isProduct = (path: string) =>
  /^(?:adapters|api|app|ucp|domain|pictures|platform|sandbox)\/.*\.(?:tsx?|js)$|^\w+\.ts$/.test(path) &&
  !/\.(?:test|testing)\.tsx?$/.test(path)

const product = (await listProjectFiles('.')).filter(isProduct).map((path) => ({ path, ...patternsIn(path) }))

test('the patterns are found', () => {
  expect(product.flatMap(({ patterns }) => patterns).length).toBeGreaterThan(200)
})

const withPatterns = product.filter(({ patterns }) => patterns.length > 0)
const changed = new Set(readChangedPaths(env) ?? [])

test.for(inTurn(withPatterns, { always: ({ path }) => changed.has(path) }))(
  'no pattern of $path takes more than linear time',
  async ({ patterns }) => {
    const faults: string[] = []
    for (const pattern of patterns) {
      const fault = await faultOf(pattern)
      if (fault) faults.push(`/${pattern.source}/${pattern.flags} is ${fault}`)
    }
    expect(faults).toEqual([])
  },
)

test('composed and schema patterns aren’t vulnerable', async () => {
  expect(product.filter(({ isComposing }) => isComposing).map(({ path }) => path)).toEqual(composing)
  const made: Pattern[] = []
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct(target, [source = '', flags = '']: string[]) {
        made.push({ source, flags })
        return new target(source, flags)
      },
    }),
  )
  for (const path of composing) await import(new URL(`../${path}`, import.meta.url).href)
  vi.unstubAllGlobals()
  expect(made.length).toBeGreaterThanOrEqual(4)
  for (const { source, flags } of [...made, z.regexes.email])
    expect(await faultOf({ source, flags }), source).toBeUndefined()
})

test.for([
  ['three neighbors that take the same', String.raw`^\s*s?\s*-?\s*\d+\s*$`],
  ['a repetition of a repetition', '^(a+)+$'],
  ['an end that is looked for from everywhere', String.raw`\s+$`],
] as const)('the check detects %s', async ([, source]) => {
  expect(await faultOf({ source, flags: '' })).toMatch(/polynomial|exponential/)
})
