/** Tests that sealed values outlive their secret, and that unreadable values are reported. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { answerOnce } from '#domain/channels/purchasing/messages.server.ts'
import { acmeTerms, givePurchasing, openPurchasingStore } from '#domain/channels/purchasing/purchasing.testing.ts'
import { setPurchasingSystem } from '#domain/channels/purchasing/systems.server.ts'
import { inviteStaff, openOffice } from '#domain/kernel/staff/staff.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { findUnopened, inspectSealed, reseal, sealedColumns } from '#db/sealed-values.ts'

const [port = 0] = await freePorts(3)
const secret = () => randomBytes(32).toString('hex')

test('every column of bytes is a hash, a file, or known as sealed', async () => {
  await using database = await createTestDatabase()
  const { rows } = await sql<{ place: string }>`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'`.execute(database.db)
  const plain = /\.(?:bytes|gzip|photo|said|scope|request|sha256|hash|\w+_hash|sketch)$/
  const sealed = rows.flatMap(({ place }) => (plain.test(place) ? [] : [place]))
  expect(sealed.toSorted()).toEqual(sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted())
})

test('values are resealed with the next secret, and a restored store reports the secret that opens them', async () => {
  await using store = await openPurchasingStore(port)
  const [old, next] = [secret(), secret()]
  const deps = { ...store, config: { session: { secret: old } } }
  const { companyId } = await givePurchasing(store)
  const terms = { ...acmeTerms, url: 'https://acme.example/cxml', secret: 'of-its-documents' }
  must(await setPurchasingSystem(deps, { companyId, terms, by: desk }))
  for (const payloadId of ['p1', 'p2'])
    await answerOnce(deps, { companyId, payloadId, kind: 'order' }, () =>
      Promise.resolve({ code: 200, words: 'OK', body: `<cXML>${payloadId}</cXML>` }),
    )
  must(await inviteStaff(store, desk, { email: 'ann@example.com', role: 'owner', lastDay: null }))
  must(
    await openOffice(deps, {
      issuer: 'https://identity.example',
      person: { subject: 'ann', email: 'ann@example.com', isEmailVerified: true, name: 'Ann' },
      idToken: 'an id token',
      authenticatedAt: store.clock.now(),
      usedSecondFactor: null,
      networkKey: 'n',
      session: undefined,
    }),
  )
  const counted = (counts: Awaited<ReturnType<typeof inspectSealed>>) => {
    const sum = (what: 'checked' | 'shut' | 'behind') => counts.reduce((all, count) => all + count[what], 0)
    return [sum('checked'), sum('shut'), sum('behind')]
  }
  expect(counted(await inspectSealed(store.db, old))).toEqual([4, 0, 0])
  expect(counted(await inspectSealed(store.db, next))).toEqual([4, 4, 0])
  expect(await findUnopened(store.db, next)).toEqual({ name: 'sealed-values-open', severity: 'error', broken: 4 })
  expect(counted(await inspectSealed(store.db, [next, old]))).toEqual([4, 0, 4])

  await using backup = await copyOf(store.db)
  expect(await reseal(store.db, [next, old])).toEqual({ resealed: 4, shut: 0 })
  expect(await reseal(store.db, [next, old])).toEqual({ resealed: 0, shut: 0 })
  expect(await reseal(store.db, old)).toEqual({ resealed: 0, shut: 4 })
  expect(counted(await inspectSealed(store.db, next))).toEqual([4, 0, 0])
  const again = { ...store, config: { session: { secret: next } } }
  const kept = await answerOnce(again, { companyId, payloadId: 'p2', kind: 'order' }, () => {
    throw new Error('It was answered before.')
  })
  expect(kept).toMatchObject({ body: '<cXML>p2</cXML>' })

  // The backup is of before.
  const withKept = await command('verify', backup.url, old)
  expect(withKept.code).toBe(0)
  expect(withKept.stdout).toContain('\nSound.\n')
  expect(withKept.stdout).toMatch(/ok {3}sealed-values-open +1 of purchasing_system\.document_secret\n/)
  const withAnother = await command('verify', backup.url, next)
  expect(withAnother.code).toBe(1)
  expect(withAnother.stdout).toContain('1 of purchasing_system.document_secret, 1 open with none of the secrets')
  expect(withAnother.stdout).toContain(
    'SESSION_SECRET is not the one that sealed some of it. See docs/runbooks/secrets.md',
  )
  const withNone = await command('verify', backup.url, '')
  expect(withNone.code).toBe(0)
  expect(withNone.stdout).toContain('SESSION_SECRET is not given')
  const resealed = await command('reseal', backup.url, `${next},${old}`)
  expect(resealed.code).toBe(0)
  expect(resealed.stdout).toBe('Sealed 4 values again with the first secret.\n')
  expect((await command('verify', backup.url, next)).code).toBe(0)
  expect(await command('reseal', backup.url, old)).toMatchObject({ code: 1 })
  expect((await command('reseal', backup.url, '')).stderr).toContain('Set SESSION_SECRET')
})

async function command(name: string, url: string, secrets: string) {
  const env = { ...process.env, DATABASE_URL: url, DATABASE_DIRECT_URL: '', SESSION_SECRET: secrets }
  const failed = (failure: unknown) => failure as { code: number; stdout: string; stderr: string }
  const run = promisify(execFile)(process.execPath, [`tools/${name}.ts`], { env })
  return run.then((done) => ({ code: 0, ...done }), failed)
}

/** A database with the same rows, as a restored backup is. */
async function copyOf(db: Parameters<typeof reseal>[0]) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const [from, name] = [rows[0]?.name ?? '', `restored_${randomBytes(4).toString('hex')}`]
  const url = inject('postgresUrl')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [from])
  await client.query(`create database ${name} template ${from}`)
  return {
    url: Object.assign(new URL(url), { pathname: `/${name}` }).href,
    async [Symbol.asyncDispose]() {
      await client.query(`drop database ${name} with (force)`)
      await client.end()
    },
  }
}
