export type Progress = {
  /** Runs one step and prints its name, result and duration. `say` prints in between, for long steps. */
  step<Result>(
    name: string,
    work: (say: (line: string) => void) => Promise<Result>,
    describe?: (result: Result) => string,
  ): Promise<Result>
}

const column = 14

/** Prints one plain line per finished step, readable in a terminal, a log file and a pipe. */
export function createProgress(print: (line: string) => void): Progress {
  return {
    async step(name, work, describe = () => '') {
      const start = performance.now()
      const result = await work((line) => print(`  …  ${name.padEnd(column)} ${line}`))
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      print(`  ok ${name.padEnd(column)} ${[describe(result), `${seconds} s`].filter(Boolean).join(', ')}`)
      return result
    },
  }
}
