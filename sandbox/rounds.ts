/** Work that runs in repeated rounds, never two at the same time. */
export type Rounds = {
  /** Resolves when a full round that started after this call is done. */
  run(): Promise<void>
  /** Starts no further round; resolves when the running one is done. */
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
