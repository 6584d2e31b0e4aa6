/** Vitest setup that fails the current test on output to console.error. */
import { afterEach, beforeEach } from 'vitest'

const original = console.error
const complaints: unknown[][] = []

beforeEach(() => {
  complaints.length = 0
  console.error = (...args) => {
    complaints.push(args)
    original(...args)
  }
})

afterEach(() => {
  console.error = original
  if (complaints.length > 0)
    throw new Error(`console.error was called: ${complaints.map((args) => args.join(' ')).join('; ')}`)
})
