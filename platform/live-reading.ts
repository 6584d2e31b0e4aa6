/** A value of the database that a process has in memory, read again and again so that a change applies everywhere. */
export type LiveReading<Value> = {
  /** As last read; `initial` before the first reading. */
  readonly current: Value
  /** Reads the value again. Retains the last value on failure. */
  read(): Promise<void>
  /** Calls `listener` after each reading that found a change. */
  onChange(listener: () => void): void
  /** Starts reading at an interval. */
  start(): Promise<void>
  stop(): void
}

type Versioned<Value> = { version: string | number; value: Value }

/** Applies changes in every process within a second. */
const readEveryMs = 500

/** Creates a reader, not started. `read` receives the known version and returns undefined if it is current. */
export function createLiveReading<Value>(
  initial: Versioned<Value>,
  read: (known: Versioned<Value>['version']) => Promise<Versioned<Value> | undefined>,
): LiveReading<Value> {
  let known = initial
  const listeners: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined

  async function readAgain(): Promise<void> {
    const found = await read(known.version).catch(() => undefined)
    if (!found || found.version === known.version) return
    known = found
    for (const listener of listeners) listener()
  }

  return {
    get current() {
      return known.value
    },
    read: readAgain,
    onChange: (listener) => void listeners.push(listener),
    async start() {
      await readAgain()
      timer = setInterval(() => void readAgain(), readEveryMs)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
