/**
 * PostgreSQL refuses to run as root, but in a container everything often does. It then runs under an ordinary account,
 * which must have access to the folders leading to its programs and data; in a clone under /root or in a private
 * temporary folder it does not.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { PlainError } from '#platform/plain-error.ts'

/** Spread into the options of `spawn`; undefined to run as the current user. */
export type Account = { uid: number; gid: number } | undefined
/** Paths of two programs in one `bin` folder, with their libraries in sibling folders. */
export type Programs = { initdb: string; postgres: string }

/**
 * Returns an account that can run PostgreSQL. It is the current one, or, for root, `postgres` if it exists, otherwise
 * `nobody`.
 */
export async function chooseAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const answers = await Promise.all(['-u', '-g'].map((flag) => promisify(execFile)('id', [flag, name]))).catch(
      () => [],
    )
    const [uid, gid] = answers.map(({ stdout }) => Number(stdout))
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  throw new PlainError(
    'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" for it. Start as another user, or set DATABASE_URL.',
  )
}

/**
 * Returns where the cluster and programs of `dataDir` are accessible to `account`: in place if they are, otherwise in a
 * separate folder outside, linked from `<dataDir>/postgres-home`.
 */
export async function makeReachable(
  account: Account,
  dataDir: string,
  programs: Programs,
): Promise<{ home: string; programs: Programs }> {
  if (account === undefined) return { home: dataDir, programs }
  const home = (await canEnter(account, dataDir)) ? dataDir : await findShelter(account, dataDir)
  if (await canEnter(account, programs.postgres)) return { home, programs }
  return { home, programs: await copyPrograms(programs, home) }
}

async function canEnter({ uid, gid }: NonNullable<Account>, path: string): Promise<boolean> {
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = await stat(folder)
    const needed = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if ((mode & needed) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

async function findShelter(account: NonNullable<Account>, dataDir: string): Promise<string> {
  const link = join(dataDir, 'postgres-home')
  if (existsSync(link)) return realpath(link)
  for (const root of ['/var/lib', tmpdir()]) {
    const shelter = await mkdtemp(join(root, 'sidewall-')).catch(() => undefined)
    if (shelter === undefined) continue
    await chmod(shelter, 0o755)
    if (await canEnter(account, shelter)) {
      await rm(link, { force: true }) // it may point to a removed folder
      await symlink(shelter, link)
      return shelter
    }
    await rm(shelter, { recursive: true })
  }
  throw new PlainError(
    `PostgreSQL runs as another account here, which cannot enter ${dataDir}. Set DATA_DIR to a folder that everyone can enter, or DATABASE_URL.`,
  )
}

async function copyPrograms(programs: Programs, home: string): Promise<Programs> {
  const { ino, mtimeMs } = await stat(programs.postgres)
  const copy = join(home, `postgres-programs-${ino}-${Math.round(mtimeMs)}`)
  if (!existsSync(copy)) {
    const draft = `${copy}.new`
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { recursive: true })
    await cp(dirname(dirname(programs.postgres)), draft, { recursive: true, verbatimSymlinks: true })
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
      const executable = entry.isDirectory() || entry.parentPath === join(draft, 'bin')
      if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644)
    }
    await chmod(draft, 0o755)
    await rename(draft, copy)
  }
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}
