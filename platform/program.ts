/** A program that runs: web, worker or sandbox. */
export type Program = {
  /** Finishes what it works on, then closes its connections. Repeated calls do nothing more. */
  stop(): Promise<void>
}

/** Starts a program by the settings in `env`; resolves when it does its work. */
export type StartProgram = (env: Record<string, string | undefined>) => Promise<Program>

/**
 * Runs a program as this process, by the process's environment. It stops on SIGTERM and SIGINT, and when the supervisor
 * is gone, as nothing would stop this process later.
 */
export async function runAsProcess(start: StartProgram): Promise<void> {
  const program = await start(process.env)
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => void program.stop())
  process.send?.({ type: 'ready' })
}
