/** Work that goes round again and again, never twice at the same time. */
export type Rounds = {
  /** Resolves when a whole round that began after this call is over. */
  run(): Promise<void>
  /** No further round begins; resolves when the running one is over. */
  stop(): Promise<void>
}

export function createRounds(work: () => Promise<void>): Rounds {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  let stopped = false

  async function round(): Promise<void> {
    await running.catch(() => {})
    next = null
    if (!stopped) running = work()
    await running
  }

  return {
    run() {
      next ??= round()
      return next
    },
    async stop() {
      stopped = true
      await next?.catch(() => {})
      await running.catch(() => {})
    },
  }
}
