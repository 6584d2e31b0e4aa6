/**
 * No text may keep a pattern of ours busy for long: for every pattern in the product hostile texts are made from the
 * pattern itself, and the characters read while it is matched are counted. More than in proportion to the length of the
 * text is a fault, whatever it takes on a fast machine.
 */
import { readFileSync } from 'node:fs'
import { check } from 'recheck'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { listProjectFiles } from './project-files.ts'

type Pattern = { source: string; flags: string }

/** Modules that put patterns together, each when it is loaded. */
const composing = ['api/schemas.ts', 'domain/fitment/tire-marking.ts', 'domain/sidewall-reading/read-sizes.ts']

/**
 * What is looked for is limited by numbers of characters read, and made from a fixed seed, so that it is found
 * everywhere. The one time that is left ends the proof of what was found, which would read a thousand million of them.
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
  /^(?:adapters|api|app|domain|pictures|platform|sandbox)\/.*\.(?:tsx?|js)$|^\w+\.ts$/.test(path) &&
  !/\.(?:test|testing)\.tsx?$/.test(path)

const product = (await listProjectFiles('.')).filter(isProduct).map((path) => ({ path, ...patternsIn(path) }))

test('the patterns are found', () => {
  expect(product.flatMap(({ patterns }) => patterns).length).toBeGreaterThan(200)
})

const withPatterns = product.filter(({ patterns }) => patterns.length > 0)

test.for(withPatterns)(
  'no text keeps a pattern of $path busy for longer than in proportion to its length',
  async ({ patterns }) => {
    const faults: string[] = []
    for (const pattern of patterns) {
      const fault = await faultOf(pattern)
      if (fault) faults.push(`/${pattern.source}/${pattern.flags} is ${fault}`)
    }
    expect(faults).toEqual([])
  },
)

test('neither do the patterns that are put together, and those of the schemas', async () => {
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
    expect([source, await faultOf({ source, flags })]).toEqual([source, undefined])
})

test.for([
  ['three neighbors that take the same', String.raw`^\s*s?\s*-?\s*\d+\s*$`],
  ['a repetition of a repetition', '^(a+)+$'],
  ['an end that is looked for from everywhere', String.raw`\s+$`],
] as const)('the check sees %s', async ([, source]) => {
  expect(await faultOf({ source, flags: '' })).toMatch(/polynomial|exponential/)
})
