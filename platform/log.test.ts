import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { withRequestId } from './request-scope.ts'

function lines(level: string) {
  const written: string[] = []
  const log = createLog(level, 'test', { write: (line: string) => void written.push(line) })
  return { log, read: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test('levels have the numbers of the specification', () => {
  const { log, read } = lines('debug')
  log.error('a')
  log.warn('b')
  log.info('c')
  expect(read().map(({ level, msg }) => [msg, level])).toEqual([
    ['a', 200],
    ['b', 300],
    ['c', 400],
  ])
})

test.for([
  ['error', 1],
  ['warn', 2],
  ['info', 3],
] as const)('at %s, %i of the three are written', ([level, count]) => {
  const { log, read } = lines(level)
  log.error('a')
  log.warn('b')
  log.info('c')
  expect(read()).toHaveLength(count)
})

test('a line has its request’s ID, even after an await, and only inside requests', async () => {
  const { log, read } = lines('info')
  const work = (text: string) => async () => {
    await new Promise((done) => setImmediate(done))
    log.info(text)
  }
  await Promise.all([withRequestId('request-1', work('one')), withRequestId('request-2', work('two'))])
  log.info('nobody')
  expect(Object.fromEntries(read().map(({ msg, requestId }) => [msg, requestId]))).toEqual({
    one: 'request-1',
    two: 'request-2',
    nobody: undefined,
  })
})

test('logged text can’t control a terminal and remains readable', () => {
  const written: string[] = []
  const log = createLog('info', 'test', { write: (line: string) => void written.push(line) })
  log.info({ what: 'a\u202eb\x1bc\x9bd\u2028e' }, 'f\u2066g')
  expect(written).toHaveLength(1)
  expect(written[0]).toMatch(/^[\x20-\x7e]+\n$/)
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ what: 'a\u202eb\x1bc\x9bd\u2028e', msg: 'f\u2066g' })
})
