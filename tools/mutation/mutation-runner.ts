/**
 * Runs every test unmodified, records which mutants it reaches, and reruns it with each of those that no earlier test
 * noticed. A mutant is killed by a test that fails with it and passes without it.
 */
import { appendFileSync } from 'node:fs'
import { TestRunner, type RunnerTestCase } from 'vitest'
import { readNoted, readPlan, type Noted } from './plan.ts'

declare global {
  /** Whether this fault is active. */
  var __mutant: ((id: number) => boolean) | undefined
}

/** A mutant may make a loop endless, so it gets this many times the steps and time of the unmodified test. */
const patience = 20
const leastSteps = 200_000
const leastMilliseconds = 5_000
const mostMilliseconds = 60_000
/** After a kill, a test this quick is rerun without the mutant, to check that no effect remains. */
const quickMilliseconds = 100

const results = process.env.MUTATION_RESULTS ?? ''
const rotating = new Set(readPlan().rotating)
/** Mutants that need no further tests. */
const settled = new Set<number>()
/** Mutants with the rotating files that killed them. */
const killedBy = new Set<string>()
const survived = new Set<string>()
for (const noted of readNoted(results)) {
  if ('killed' in noted) noteKill(noted.killed, noted.file)
  if ('survived' in noted) survived.add(`${noted.survived} ${noted.by}`)
}
const reached = new Set<number>()
const switches = { active: 0, steps: 0, limit: Infinity, hits: undefined as Set<number> | undefined }
/** Whether a mutant may have corrupted this process. */
let isSpoiled = false
/** The mutant that this process tried last. */
let lastTried = 0

function noteKill(id: number, file: string): void {
  if (rotating.has(file)) killedBy.add(`${id} ${file}`)
  else settled.add(id)
}

globalThis.__mutant = (id) => {
  switches.hits?.add(id)
  if (++switches.steps > switches.limit) throw new Error('A mutant runs on and on.')
  return id === switches.active
}

export default class MutationRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    if (isSpoiled) return
    const run = TestRunner.getTestFn(test)
    const file = test.file.name
    const name = `${file} > ${test.name}`
    const hits = new Set<number>()
    Object.assign(switches, { active: 0, steps: 0, limit: Infinity, hits })
    const start = performance.now()
    try {
      await run()
    } catch (error) {
      note(lastTried === 0 ? { failed: name } : { spoiledBy: lastTried })
      // A new process shows whether the test fails without the mutants that this one tried.
      isSpoiled = lastTried !== 0
      if (isSpoiled) return
      throw error
    }
    const milliseconds = performance.now() - start
    const { steps } = switches
    switches.hits = undefined
    for (const id of hits) {
      if (!reached.has(id)) note({ reached: id })
      reached.add(id)
    }
    for (const id of hits) {
      if (settled.has(id) || killedBy.has(`${id} ${file}`) || survived.has(`${id} ${name}`)) continue
      lastTried = id
      const outcome = await tryWith(id, run, { steps, milliseconds })
      if (outcome === 'survived') {
        note({ survived: id, by: name })
        continue
      }
      noteKill(id, file)
      note({ killed: id, file, by: name, how: outcome })
      // A hanging test may continue in the background.
      isSpoiled =
        outcome === 'hung' ||
        (milliseconds < quickMilliseconds && (await tryWith(0, run, { steps, milliseconds })) !== 'survived')
      if (isSpoiled) return note({ spoiledBy: id })
    }
  }
}

async function tryWith(
  id: number,
  run: () => unknown,
  { steps, milliseconds }: { steps: number; milliseconds: number },
): Promise<'survived' | 'failed' | 'hung'> {
  Object.assign(switches, { active: id, steps: 0, limit: Math.max(leastSteps, steps * patience) })
  const { promise: late, resolve } = Promise.withResolvers<'hung'>()
  const timer = setTimeout(
    () => resolve('hung'),
    Math.min(Math.max(milliseconds * patience, leastMilliseconds), mostMilliseconds),
  )
  const running = (async () => {
    try {
      await run()
      return 'survived' as const
    } catch {
      return 'failed' as const
    }
  })()
  const outcome = await Promise.race([running, late])
  clearTimeout(timer)
  Object.assign(switches, { active: 0, limit: Infinity })
  return outcome
}

function note(noted: Noted): void {
  appendFileSync(results, `${JSON.stringify(noted)}\n`)
}
