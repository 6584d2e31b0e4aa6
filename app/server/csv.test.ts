import { expect, test } from 'vitest'
import { csvResponse, csvText } from './csv.server.ts'

test.for(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('a cell that begins like a formula is text: %j', (cell) => {
  const [first = ''] = csvText([[cell]]).replace(/^"/, '')
  expect(first).toBe("'")
})

test('quotes, commas and line ends stay inside their cell, and other text is as it was', () => {
  expect(csvText([['a,b', 'say "so"', 'two\nlines', 'Zoë', null, 12]])).toBe(
    '"a,b","say ""so""","two\nlines",Zoë,,12\r\n',
  )
})

test('a file is UTF-8 with its mark and its header, and is read batch by batch', async () => {
  let read = 0
  async function* batches() {
    for (; read < 3; read += 1) yield [[`row ${read}`]]
  }
  const answer = csvResponse('list', ['Name'], batches())
  expect(read).toBe(0)
  expect([...new Uint8Array(await answer.clone().arrayBuffer())].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf])
  expect(await answer.text()).toBe('Name\r\nrow 0\r\nrow 1\r\nrow 2\r\n')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="list.csv"')
})

test('a reader that leaves ends the reading', async () => {
  let isEnded = false
  async function* batches() {
    try {
      for (;;) yield [['row']]
    } finally {
      isEnded = true
    }
  }
  const reader = csvResponse('list', ['Name'], batches()).body?.getReader()
  await reader?.read()
  await reader?.read()
  await reader?.cancel()
  expect(isEnded).toBe(true)
})
