import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { listArticles } from '#app/content/library.server.ts'
import { drawings } from './drawings.tsx'

test('every drawing an article names exists, and every drawing is named', async () => {
  const collections = await Promise.all(
    (['learn', 'press', 'guides', 'car-talk'] as const).map((name) => listArticles(name, 'own')),
  )
  const named = collections
    .flat()
    .flatMap(({ html }) => [...html.matchAll(/<figure id="drawing-([\w-]+)">/g)].map(([, name]) => name))
  expect(new Set(named)).toEqual(new Set(Object.keys(drawings)))
  expect(named).toHaveLength(Object.keys(drawings).length)
})

test.each(Object.entries(drawings))('%s has a text alternative and fits a phone', (_, Drawing) => {
  const html = renderToStaticMarkup(<Drawing />)
  expect(html).toMatch(/<svg viewBox="0 0 360 \d+" role="img" aria-label="[^"]{30,}"/)
  expect(html).toMatch(/<figcaption>[^<]{10,}/)
  expect(html).not.toMatch(/NaN|undefined/)
})

test('the drawings show the values the store calculates with', () => {
  const drawn = (name: string) => renderToStaticMarkup(drawings[name]?.())
  expect(drawn('load')).toContain('load index 102, 1,874 pounds')
  expect(drawn('total')).toContain('Together $766.14')
})
