import { expect, test } from 'vitest'
import { csvResponse } from './csv.server.ts'

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
