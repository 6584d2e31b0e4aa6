/** A running web, worker, or sandbox program. */
export type Program = {
  /** Finishes its current work, then closes its connections. Idempotent. */
  stop(): Promise<void>
}

/** Starts a program by the settings in `env`; resolves when it does its work. */
export type StartProgram = (env: Record<string, string | undefined>) => Promise<Program>

/**
 * Runs a program as this process with the process's environment. Stops on SIGTERM and SIGINT, and when the supervisor
 * has ended, because this process would otherwise never stop.
 */
export async function runAsProcess(start: StartProgram): Promise<void> {
  const program = await start(process.env)
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => void program.stop())
  process.send?.({ type: 'ready' })
}
