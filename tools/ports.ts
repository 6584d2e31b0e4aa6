import { connect, createServer, type ListenOptions } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PlainError } from '#platform/plain-error.ts'

/** Processes of a run killed a moment ago release their ports within this time. */
const patience = 2_000

/** Throws a `PlainError` if one of the ports, keyed by setting name, cannot be listened on. */
export async function requirePorts(ports: Record<string, number>): Promise<void> {
  const deadline = performance.now() + patience
  for (const [name, port] of Object.entries(ports)) {
    const twin = Object.entries(ports).find(([other, number]) => other !== name && number === port)
    if (twin) throw new PlainError(`${name} and ${twin[0]} are both ${port}. Give them different ports.`)
    let refusal = await tryListening({ port })
    while (refusal === 'EADDRINUSE' && performance.now() < deadline) {
      await sleep(100)
      refusal = await tryListening({ port })
    }
    if (refusal === 'EADDRINUSE')
      throw new PlainError(
        `Port ${port} is taken by another program. End that program, or set ${name} to another port.`,
      )
    if (refusal !== undefined)
      throw new PlainError(`Port ${port} cannot be listened on (${refusal}). Set ${name} to another port.`)
  }
}

/** The error code, or undefined if the port is free. */
export function tryListening(where: ListenOptions): Promise<string | undefined> {
  return new Promise((answer) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => answer(error.code ?? error.message))
    probe.listen(where, () => probe.close(() => answer(undefined)))
  })
}

/** A currently free port on this machine. */
export function findFreePort(): Promise<number> {
  return new Promise((answer, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = probe.address()
      if (address === null || typeof address === 'string') return fail(new Error('A listening socket has no port.'))
      probe.close(() => answer(address.port))
    })
  })
}

/** Whether something on this machine accepts connections at the port. */
export function isAccepting(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect({ port, host: 'localhost' })
    socket.once('error', () => answer(false))
    socket.once('connect', () => {
      socket.destroy()
      answer(true)
    })
  })
}
