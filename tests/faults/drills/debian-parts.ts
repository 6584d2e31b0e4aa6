/**
 * Third-party programs in the drilled versions: PostgreSQL 18 with all tools, Patroni, etcd, HAProxy, PgBouncer, and
 * pgBackRest from Debian's next release, unpacked into a separate folder. Doesn't install packages or affect the
 * machine's services. The folder is reused.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PlainError } from '#platform/plain-error.ts'
import { eventually } from '#tests/support/eventually.ts'
import { cacheFolder } from '../../../tools/cache-folder.ts'

const run = promisify(execFile)
const release = 'forky'
export const mirror = 'http://deb.debian.org/debian'
// Patroni speaks to etcd through the two of Python.
const packages = [
  'postgresql-18',
  'patroni',
  'python3-etcd',
  'python3-dnspython',
  'etcd-server',
  'pgbouncer',
  'haproxy',
  'pgbackrest',
  'jq',
] as const
/** Debian's `nobody` account, which owns the programs' files. */
const account = 65_534
/** Where the programs find the drill's own folder. */
const inside = '/drill'

/** Ends with the drill; its processes end with it. */
const withDrill = ['--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--fork', '--kill-child']
const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: inside }

export type Parts = {
  /** Where the programs are. */
  root: string
  /** The drill's own folder, and its name for the programs. */
  folder: string
  inside: typeof inside
}

/** Finds the programs or downloads them once, for a drill with files in `folder`. */
export async function findParts(folder: string): Promise<Parts> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new PlainError('This drill runs as root on Linux: it keeps each part in a namespace of its own.')
  const root = join(
    cacheFolder(),
    `parts-${release}-${createHash('sha1').update(packages.join()).digest('hex').slice(0, 8)}`,
  )
  if (!existsSync(root)) await fetchParts(root)
  await run('chown', ['-R', `${account}:${account}`, folder])
  return { root, folder, inside }
}

async function fetchParts(root: string): Promise<void> {
  const draft = `${root}.new`
  await rm(draft, { recursive: true, force: true })
  const from = [
    '--variant=minbase',
    '--force-check-gpg',
    '--download-only',
    `--include=${packages.join(',')}`,
    release,
    draft,
    mirror,
  ]
  try {
    // A release newer than the debootstrap is made as the one in development is.
    await run('debootstrap', [...from, '/usr/share/debootstrap/scripts/sid'])
  } catch (error) {
    throw new PlainError(
      `This drill needs programs of Debian ${release}: install debootstrap (\`apt-get install debootstrap\`) and let it reach ${mirror}.`,
      { cause: error },
    )
  }
  const archives = join(draft, 'var/cache/apt/archives')
  for (const file of await readdir(archives))
    if (file.endsWith('.deb')) await run('dpkg-deb', ['--extract', join(archives, file), draft])
  await rm(archives, { recursive: true })
  await mkdir(join(draft, inside))
  await writeFile(
    join(draft, 'etc/passwd'),
    `root:x:0:0::/root:/bin/sh\nnobody:x:${account}:${account}::${inside}:/bin/sh\n`,
  )
  await writeFile(join(draft, 'etc/hosts'), '127.0.0.1 localhost\n')
  await chmod(draft, 0o755)
  await rename(draft, root)
}

/** Everything of a part sees only these folders; its processes end with the first of them. */
const enter = [
  'mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && mount --bind "$2" "$1/drill" || exit 1',
  'root=$1; shift 2',
  `chroot --userspec=${account}:${account} "$root" "$@"`,
].join('\n')

export type Part = AsyncDisposable & {
  /** All that it wrote. */
  output(): string
  isRunning(): boolean
  /** Kills all its processes, like a power failure. */
  kill(): Promise<void>
}

type Command = { program: string; args?: readonly string[]; env?: Record<string, string> }

/** Starts a part in its own namespace. It ends with the drill. */
export function startPart({ root, folder }: Parts, { program, args = [], env = {} }: Command): Part {
  const child = spawn('setpriv', [...withDrill, 'sh', '-c', enter, 'sh', root, folder, program, ...args], {
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
  return {
    output: () => said.join('').slice(-20_000),
    isRunning: () => isRunning(child),
    kill: () => end(child),
    [Symbol.asyncDispose]: () => end(child),
  }
}

/** Runs a program to its end and returns its output. Throws the output if the exit code isn't 0. */
export async function runPart({ root, folder }: Parts, { program, args = [], env = {} }: Command): Promise<string> {
  const entered = ['--mount', 'sh', '-c', enter, 'sh', root, folder, program, ...args]
  try {
    const { stdout, stderr } = await run('unshare', entered, { env: { ...environment, ...env } })
    return stdout + stderr
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: number; stdout?: string; stderr?: string }
    throw new Error(`${program} ended with ${code}:\n${stdout}${stderr}`, { cause: error })
  }
}

/** Settles once the part accepts connections at the port. */
export async function accepts(part: Part, port: number): Promise<void> {
  await eventually(`part at port ${port}`, async () => {
    if (!part.isRunning()) throw new Error(`A part ended:\n${part.output()}`)
    return new Promise<boolean>((answer) => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.once('error', () => answer(false))
      socket.once('connect', () => {
        socket.destroy()
        answer(true)
      })
    })
  })
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** Its output closes when the last of its processes is gone. */
async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}
