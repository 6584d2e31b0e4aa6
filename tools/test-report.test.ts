import { expect, test } from 'vitest'
import { addUp, failedFiles, listFailures, readReport, replaceFiles, slowestFiles } from './test-report.ts'

const report = (...files: { status: string; tests: string[] }[]) =>
  JSON.stringify({
    testResults: files.map(({ status, tests }) => ({
      status,
      assertionResults: tests.map((test) => ({ status: test })),
    })),
  })

test('tests are counted by result', () => {
  const text = report(
    { status: 'failed', tests: ['passed', 'failed', 'skipped'] },
    { status: 'passed', tests: ['passed', 'pending', 'todo'] },
  )

  expect(readReport(text, 1)).toEqual({ passed: 2, failed: 1, skipped: 3 })
})

test('a file that fails to load counts as one failed test', () => {
  expect(readReport(report({ status: 'failed', tests: [] }, { status: 'passed', tests: ['passed'] }), 1)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
  })
})

test('a run that exits with an error has failed even if every test passed', () => {
  expect(readReport(report({ status: 'passed', tests: ['passed'] }), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  expect(readReport(report({ status: 'passed', tests: ['passed'] }), null)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
  })
})

test('a run without a report has failed', () => {
  expect(readReport(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('totals are summed', () => {
  expect(
    addUp([
      { passed: 1, failed: 2, skipped: 3 },
      { passed: 10, failed: 20, skipped: 30 },
    ]),
  ).toEqual({ passed: 11, failed: 22, skipped: 33 })
})

test('failures are listed by file and test, with the first line of their message and the line of the test', () => {
  const text = JSON.stringify({
    testResults: [
      {
        name: '/store/domain/payments/cart.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'a cart is kept' },
          {
            status: 'failed',
            fullName: 'a line is added',
            failureMessages: [
              'expected 1 to be 2\n    at /store/cart.ts:3:1\n    at /store/domain/payments/cart.test.ts:14:7',
            ],
          },
        ],
      },
      {
        name: '/store/domain/order.test.ts',
        status: 'failed',
        message: 'Cannot find module\n at x',
        assertionResults: [],
      },
      { name: '/store/domain/item.test.ts', status: 'passed', assertionResults: [] },
    ],
  })

  expect(listFailures(text, '/store')).toEqual([
    'domain/payments/cart.test.ts › a line is added\n      expected 1 to be 2\n      at domain/payments/cart.test.ts:14',
    'domain/order.test.ts\n      Cannot find module',
  ])
  expect(listFailures(undefined, '/store')).toEqual(['no report was written'])
})

test('failed files are named, and their second run replaces the first', () => {
  const file = (name: string, ...statuses: string[]) => ({
    name,
    status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
    assertionResults: statuses.map((status) => ({ status })),
  })
  const first = JSON.stringify({
    testResults: [file('/a', 'passed', 'passed'), file('/b', 'passed', 'failed'), file('/broken')],
  })
  const second = JSON.stringify({ testResults: [file('/b', 'passed', 'passed'), file('/broken', 'passed')] })

  expect(failedFiles(first)).toEqual(['/b', '/broken'])
  expect(failedFiles(undefined)).toEqual([])
  expect(readReport(replaceFiles(first, second), 0)).toEqual({ passed: 5, failed: 0, skipped: 0 })
})

test('the files that took longest are named over all reports', () => {
  const timed = (...files: [name: string, seconds: number][]) =>
    JSON.stringify({
      testResults: files.map(([name, seconds]) => ({
        name: `/store/${name}`,
        status: 'passed',
        startTime: 1_000,
        endTime: 1_000 + seconds * 1_000,
        assertionResults: [],
      })),
    })
  expect(
    slowestFiles([timed(['a.test.ts', 3], ['b.test.ts', 40]), undefined, timed(['c.test.ts', 9])], '/store', 2),
  ).toEqual([
    { file: 'b.test.ts', seconds: 40 },
    { file: 'c.test.ts', seconds: 9 },
  ])
})
