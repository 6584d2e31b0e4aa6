import { expect, test } from 'vitest'
import { renderMarkdown } from './markdown.server.ts'

test('headings get unique ids from their words', async () => {
  const { html, headings } = await renderMarkdown('## What *UTQG* says\n\nA\n\n### Why & how\n\n## What UTQG says\n')
  expect(headings).toEqual([
    { id: 'what-utqg-says', text: 'What UTQG says', level: 2 },
    { id: 'why-how', text: 'Why & how', level: 3 },
    { id: 'what-utqg-says-2', text: 'What UTQG says', level: 2 },
  ])
  expect(html).toContain('<h2 id="what-utqg-says">What <em>UTQG</em> says</h2>')
})

test.for([
  ['a script', 'Hi <script>alert(1)</script> there', 'alert'],
  ['a handler', '<img src="/a.png" onerror="x()" alt="">', 'onerror'],
  ['a script address', '[press](javascript:alert(1))', 'javascript'],
  ['an address of another host without a scheme', '![a](//elsewhere.example/a.png)', 'elsewhere'],
  ['a frame', '<iframe src="https://example.com"></iframe>', 'iframe'],
  ['a style', '<p style="position:fixed">a</p>', 'style'],
] as const)('%s does not come through', async ([, source, word]) => {
  expect((await renderMarkdown(source)).html).not.toContain(word)
})

test('reading time counts words and is at least one minute', async () => {
  expect((await renderMarkdown('short')).minutes).toBe(1)
  expect((await renderMarkdown('word '.repeat(1_190))).minutes).toBe(5)
})
