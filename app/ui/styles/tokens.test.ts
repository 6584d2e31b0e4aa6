import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { contrastOf, leastContrast } from '#platform/contrast.ts'

const folder = new URL('./', import.meta.url)
const tokens = await readFile(new URL('tokens.css', folder), 'utf8')
const color = (name: string) => new RegExp(`--${name}:\\s*(#[0-9a-f]{6})`, 'i').exec(tokens)?.[1] ?? ''

test('only the tokens file contains raw colors', async () => {
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.css') && name !== 'tokens.css')) {
    const css = (await readFile(new URL(file, folder), 'utf8')).replace(/url\("data:[^"]*"\)/g, '')
    expect(css.match(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/gi) ?? [], file).toEqual([])
  }
})

test('every custom property in use is defined, in a style sheet or on an element', async () => {
  const app = new URL('../../', folder)
  const pages = (await readdir(app, { recursive: true })).filter((name) => name.endsWith('.tsx'))
  const onElements = (await Promise.all(pages.map((name) => readFile(new URL(name, app), 'utf8')))).flatMap((page) =>
    [...page.matchAll(/'(--[\w-]+)'/g)].map((match) => match[1]),
  )
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.css'))) {
    const css = await readFile(new URL(file, folder), 'utf8')
    const defined = new Set([
      ...onElements,
      ...[...`${tokens}${css}`.matchAll(/(--[\w-]+)\s*:/g)].map((match) => match[1]),
    ])
    const used = [...css.matchAll(/var\((--[\w-]+)\s*\)/g)].map((match) => match[1])
    expect(
      [...new Set(used)].filter((name) => !defined.has(name)),
      file,
    ).toEqual([])
  }
})

test.for([
  ['ink', 'paper'],
  ['ink', 'chalk'],
  ['ink', 'signal'],
  ['asphalt', 'paper'],
  ['asphalt', 'chalk'],
  ['go', 'chalk'],
  ['go', 'paper'],
  ['go-deep', 'go-tint'],
  ['stop', 'chalk'],
  ['stop', 'stop-tint'],
  ['deal', 'deal-tint'],
  ['caution', 'chalk'],
  ['amber-text', 'signal-tint'],
  ['ink', 'signal-tint'],
  ['on-dark', 'ink'],
  ['on-dark-2', 'ink'],
  ['on-dark', 'rubber'],
  ['on-dark-2', 'rubber'],
] as const)('%s on %s can be read: at least 4.5 to 1', ([text, ground]) => {
  expect(contrastOf(color(text), color(ground))).toBeGreaterThanOrEqual(leastContrast)
})
