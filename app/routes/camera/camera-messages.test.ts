import { expect, test } from 'vitest'
import { cameraProblem, problemMessages, sureWords } from './camera-messages.ts'

test.for([
  ['NotAllowedError', 'not-allowed'],
  ['SecurityError', 'not-allowed'],
  ['NotFoundError', 'no-camera'],
  ['OverconstrainedError', 'no-camera'],
  ['NotReadableError', 'in-use'],
  ['AbortError', 'in-use'],
  ['SomethingNew', 'no-camera'],
] as const)('%s says %s', ([name, problem]) => {
  expect(cameraProblem(new DOMException('', name))).toBe(problem)
})

test('every device problem suggests a next step', () => {
  const { 'nothing-found': _, ...others } = problemMessages
  for (const words of Object.values(others)) expect(words).toMatch(/type the size|choose a photo/i)
})

test('confidence is shown with its number', () => {
  expect([96, 70, 30].map(sureWords)).toEqual([
    'Read clearly (96 of 100)',
    'Read fairly well (70 of 100). Compare each digit',
    'A guess (30 of 100). Compare each digit',
  ])
})
