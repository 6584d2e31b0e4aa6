/** Tests that no copy advertises a program that this kind of store doesn't sell. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asReleased } from '#domain/kernel/content/content.ts'
import { sellsProgram, storePrograms, type StoreKind } from '#domain/pricing/store-programs/store-programs.ts'
import { messageKinds } from '#domain/messaging/messages/messages.ts'
import { brokenPromises } from '#tests/support/store-promises.ts'
import { listClaims } from './claims.server.ts'
import { fillConstants } from './constants.server.ts'
import { listQuestions } from './faqs.server.ts'
import { searchHelp } from './help.server.ts'
import { listArticles } from './library.server.ts'
import { findPage, listPages, pageWithText } from './pages.server.ts'

const kinds = ['own', 'branded'] as const
const collections = ['policies', 'pages', 'learn', 'press', 'guides', 'car-talk'] as const

/** All copy of a kind of store, each part with its source. */
async function copyOf(store: StoreKind): Promise<[source: string, copy: string][]> {
  const articles = (await Promise.all(collections.map((name) => listArticles(name, store)))).flat()
  const questions = (await listQuestions(store)).flatMap((section) => section.questions)
  return [
    ...articles.map((article): [string, string] => [article.path, JSON.stringify(article)]),
    ...questions.map((question): [string, string] => [question.id, JSON.stringify(question)]),
    ['claims', JSON.stringify(listClaims(store))],
  ]
}

test.for(kinds)('no copy of %s stores promises what they do not sell', async (store) => {
  const faulty = (await copyOf(store)).flatMap(([source, copy]) =>
    brokenPromises(copy, store).map((promise) => `${source}: ${promise}`),
  )
  expect(faulty).toEqual([])
})

test('the copy of each store mentions every program that it sells', async () => {
  for (const program of storePrograms)
    for (const store of kinds) {
      const other = store === 'own' ? 'branded' : 'own'
      if (!sellsProgram(store, program) || sellsProgram(other, program)) continue
      const promises = (await copyOf(store)).flatMap(([, copy]) => brokenPromises(copy, other))
      expect(promises.some((promise) => promise.startsWith(program))).toBe(true)
    }
})

test('email templates don’t mention programs, because every kind of store sends them', () => {
  const faulty = messageKinds.flatMap((kind) => {
    const source = readFileSync(`content/mail/${kind}.md`, 'utf8')
    return kinds.flatMap((store) => brokenPromises(source, store)).map((promise) => `${kind}: ${promise}`)
  })
  expect(faulty).toEqual([])
})

test.for(kinds)('copy of %s stores links to no page that they do not have', async (store) => {
  const other = store === 'own' ? 'branded' : 'own'
  const [own, others] = await Promise.all([listPages(asReleased, store), listPages(asReleased, other)])
  const missing = others
    .map(({ address }) => address)
    .filter((address) => !own.some((page) => page.address === address))
  if (store === 'branded') expect(missing).toEqual(['/mobile-tire-installation'])
  for (const [source, copy] of await copyOf(store))
    for (const address of missing) expect(copy, source).not.toContain(address)
})

test('a page about a program is not found in a store without it, and its search leads elsewhere', async () => {
  expect((await findPage('mobile-tire-installation', asReleased, 'own'))?.title).toBe('Mobile tire installation')
  expect(await findPage('mobile-tire-installation', asReleased, 'branded')).toBeUndefined()
  const hits = await searchHelp('replacement coverage', asReleased, 'branded')
  expect(brokenPromises(JSON.stringify(hits), 'branded')).toEqual([])
  const [hit] = await searchHelp('road hazard plan', asReleased, 'branded')
  expect(JSON.stringify(hit)).toContain('oad hazard')
})

test('a text that staff publish is filled in for each kind of store', async () => {
  const page = await findPage('about', asReleased, 'own')
  if (!page) throw new Error('There is no page about the store.')
  const body = '{{#if roadHazardPlan}}The plan.{{else}}Coverage.{{/if}}'
  const text = { title: page.title, description: page.description, body }
  const day = Temporal.PlainDate.from('2026-11-20')
  const [own, branded] = await Promise.all(kinds.map((store) => pageWithText(page, text, { day, store })))
  expect(own?.html).toBe('<p>Coverage.</p>\n')
  expect(branded?.html).toBe('<p>The plan.</p>\n')
  expect(() => fillConstants('{{#if flying}}x{{/if}}', 'a test')).toThrow('isn’t a capability or a program')
})
