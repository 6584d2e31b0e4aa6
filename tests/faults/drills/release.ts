/** Builds this release and an earlier one, in separate folders. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { project } from '../../../tools/package-program.ts'

const run = promisify(execFile)

/** The folder of a release, and a name for it. */
export type Release = { folder: string; name: string }

export const thisRelease: Release = { folder: project, name: 'N' }

/**
 * Returns the previous release's commit. It is `given`, else the last tag before this commit, else the last commit
 * before the newest migration.
 */
export async function commitBefore(given: string | undefined): Promise<string> {
  if (given) return git('rev-parse', `${given}^{commit}`)
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => '')
  if (tag) return git('rev-parse', `${tag}^{commit}`)
  const newest = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'db/migrations')
  return git('rev-parse', `${newest}^`)
}

/** Checks the commit out into `folder` and builds it. Its first script differs from this release's, as of any other. */
export async function checkOut(commit: string, folder: string): Promise<Release & AsyncDisposable> {
  await git('worktree', 'add', '--detach', folder, commit)
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  await appendFile(join(folder, 'app/entry.client.tsx'), "\ndocument.documentElement.dataset['release'] = 'before'\n")
  const release = { folder, name: `N-1 (${commit.slice(0, 8)})` }
  await runProgram(release, 'tools/build.ts', { SIDEWALL_CACHE: join(folder, '.cache') })
  return {
    ...release,
    [Symbol.asyncDispose]: async () => void (await git('worktree', 'remove', '--force', folder)),
  }
}

/** Runs a release's program to its end. Throws its output on failure. */
export async function runProgram({ folder }: Release, script: string, env: Record<string, string>): Promise<void> {
  const options = { cwd: folder, env: { ...process.env, NODE_ENV: 'production', ...env }, maxBuffer: 1 << 26 }
  await run(process.execPath, [script], options)
}

export type Started = {
  port: number
  /** All it wrote. */
  output(): string
  /** Stops it, like a deployment. Resolves with its exit code. */
  stop(): Promise<number | null>
} & AsyncDisposable

/** Starts a release's process. Resolves when it's ready. */
export async function startProgram(
  { folder, name }: Release,
  script: string,
  { port, env }: { port: number; env: Record<string, string> },
): Promise<Started> {
  const ended = join(project, 'tools/supervised-child.ts')
  const child = spawn(process.execPath, ['--import', ended, script], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => output.push(String(bytes)))
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message) => {
      if (typeof message === 'object' && 'type' in message && message.type === 'ready') resolve()
    })
    child.once('exit', (code) => reject(new Error(`${script} of ${name} ended with ${code}:\n${output.join('')}`)))
  })
  const stop = () => end(child)
  return { port, output: () => output.join(''), stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
  return child.exitCode
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: project })).stdout.trim()
}
