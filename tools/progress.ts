export type Progress = {
  /**
   * Runs one step and prints its name with what it answers and how long it took. `say` prints in between, for a step
   * that takes long.
   */
  step<Result>(
    name: string,
    work: (say: (line: string) => void) => Promise<Result>,
    describe?: (result: Result) => string,
  ): Promise<Result>
}

const column = 14

/** Prints one line per finished step: plain lines, so that a terminal, a log file and a pipe all read well. */
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
