import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { childrenOf, createPlace, databaseUrlOf, startWholeStore } from '#tests/support/whole-store.ts'
import { runNode } from './package-program.ts'

test(
  'the store starts, allows only one instance, survives kill -9 of everything, and stops cleanly',
  { timeout: 240_000 },
  async () => {
    await using place = await createPlace()
    const first = await startWholeStore(place.env)
    expect(first.output()).toContain(`Store     http://localhost:${place.env.PORT}`)
    expect((await fetch(`http://localhost:${place.env.PORT}/`)).status).toBe(200)
    expect((await fetch(`http://localhost:${place.env.SANDBOX_PORT}/`)).status).toBe(200)
    expect(
      await query(
        place.env.DATA_DIR,
        'select code, edi_url, availability_fault, exists (select from supplier_availability where supplier_id = supplier.id and units > 0) as sells from supplier order by code',
      ),
    ).toEqual([
      { code: 'BROADMOOR', edi_url: null, availability_fault: null, sells: true },
      {
        code: 'GREATLAKES',
        edi_url: `sftp://localhost:${Number(place.env.SANDBOX_PORT) + 2}/GREATLAKES`,
        availability_fault: null,
        sells: true,
      },
    ])
    expect(await query(place.env.DATA_DIR, 'select name, kind from supplier_feed')).toEqual([
      { name: 'Great Lakes stock (846)', kind: 'stock' },
    ])
    expect(await query(place.env.DATA_DIR, 'select service from order_line where service is not null')).toEqual([
      { service: 'changeover-storage' },
    ])
    await query(place.env.DATA_DIR, 'create table kept as select count(*) from item')

    const twin = await runNode(['tools/start.ts'], { env: { ...place.env, PORT: '2', SANDBOX_PORT: '3' } })
    expect(twin).toEqual({
      code: 1,
      output: `Sidewall is already running over ${place.env.DATA_DIR}, at http://localhost:${place.env.PORT}. Stop it first, or set DATA_DIR, PORT and SANDBOX_PORT to others.\n`,
    })

    const children = await childrenOf(first.pid)
    expect(children).toHaveLength(4) // the database, the sandbox, the worker and the web
    const commands = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')))
    for (const program of ['build/programs/web.js', 'build/programs/worker.js'])
      expect(commands.filter((command) => command.includes(program))).toHaveLength(1)
    for (const pid of [first.pid, ...children]) process.kill(pid, 'SIGKILL')
    const second = await startWholeStore(place.env)
    expect(
      await query(place.env.DATA_DIR, 'select kept.count = (select count(*) from item) as same from kept'),
    ).toEqual([{ same: true }])

    process.kill(second.pid, 'SIGKILL') // the rest ends by itself, or is stopped by the next start
    const third = await startWholeStore(place.env)
    third.stop()
    expect(await third.exited).toEqual([0, null])
    const stopped = third.output().split('Stopping\n')[1] ?? ''
    expect([...stopped.matchAll(/^ {2}ok (\w+) +stopped/gm)].map(([, name]) => name)).toEqual([
      'Web',
      'Worker',
      'Sandbox',
      'Database',
    ])
  },
)

async function query(dataDir: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: await databaseUrlOf(dataDir) })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
