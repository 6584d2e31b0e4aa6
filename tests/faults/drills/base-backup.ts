/**
 * A base backup of a running server by the calls and the rules of PostgreSQL's documentation ("Making a Base Backup Using
 * the Low Level API"), as the programs that make one for you do it: npm's PostgreSQL comes without them.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { chooseAccount } from '../../../tools/postgres-account.ts'
import { runAsPostgres } from './postgres-server.ts'

/** Rebuilt by a server that starts from the copy, or of the server that was copied alone. */
const leftOut = [
  ...[
    'pg_wal',
    'pg_replslot',
    'pg_dynshmem',
    'pg_notify',
    'pg_serial',
    'pg_snapshots',
    'pg_stat_tmp',
    'pg_subtrans',
  ].map((folder) => `./${folder}/*`),
  './postmaster.pid',
  './postmaster.opts',
  'pgsql_tmp*',
]

/** Copies the files of the server at `url` into an archive in `backup`. Its log meanwhile is archived by the server. */
export async function backUpBase(url: string, { data, backup }: { data: string; backup: string }): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("select pg_backup_start('drill', fast => true)")
    await copyFiles(data, join(backup, 'base.tar'))
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
    await writeFile(join(backup, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o644 })
  } finally {
    await client.end()
  }
}

/** Files change while they are copied, which the log puts right: tar ends with 1 then. */
async function copyFiles(data: string, archive: string): Promise<void> {
  const exclude = leftOut.map((pattern) => `--exclude=${pattern}`)
  const account = await chooseAccount()
  const code = await new Promise<number>((done) => {
    const copy = execFile('tar', ['--create', `--file=${archive}`, `--directory=${data}`, ...exclude, '.'], {
      ...account,
      cwd: '/',
    })
    copy.once('exit', (status) => done(status ?? 2))
  })
  if (code > 1) throw new Error(`tar ended with ${code}.`)
}

/** Unpacks the backup into an empty folder, ready to recover from the archive of the log. */
export async function restoreBase({ backup, data }: { backup: string; data: string }): Promise<void> {
  await runAsPostgres('tar', ['--extract', `--file=${join(backup, 'base.tar')}`, `--directory=${data}`])
  await runAsPostgres('cp', [join(backup, 'backup_label'), join(data, 'backup_label')])
  await runAsPostgres('touch', [join(data, 'recovery.signal')])
}
