import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, glob, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PlainError } from '#platform/plain-error.ts'
import { runCommand } from './command.ts'
import { cacheFolder } from './cache-folder.ts'
import { compressAssets } from './compress-assets.ts'
import { lockFolder } from './folder-lock.ts'
import { listPaymentScripts } from './payment-scripts.ts'
import { packageProgram, project, runNode } from './package-program.ts'

const folder = join(project, 'build')
/** Written last, with the hash of the inputs, so an interrupted build has no stamp. */
const stamp = join(folder, 'inputs.sha256')
const keptBuilds = 5

/** The build's inputs (the source folders of the browser and server bundles, and the tools' configuration). */
const inputs = [
  '{app,domain,pictures,platform,adapters,api,http,widget,content,public,cxml,mcp,ucp,db}/**/*',
  'tools/bundle-programs.ts',
  'tools/payment-scripts.ts',
  '*.{ts,json}',
]

/**
 * Builds the web app into build/ unless the build there has the same inputs. Returns whether it built. One process
 * builds at a time.
 */
export async function buildIfStale(signal?: AbortSignal): Promise<boolean> {
  for (;;) {
    const hash = await hashInputs()
    if ((await readFile(stamp, 'utf8').catch(() => '')) === hash) return false
    const lock = await lockFolder(join(project, 'app'), () => 'building')
    if (lock.held) return build(hash, signal).finally(lock.release)
    await sleep(200, undefined, signal ? { signal } : {})
  }
}

async function build(hash: string, signal: AbortSignal | undefined): Promise<boolean> {
  const kept = join(cacheFolder(), `build-${hash.slice(0, 16)}`)
  await rm(stamp, { force: true })
  if (existsSync(kept)) {
    await rm(folder, { recursive: true, force: true })
    await cp(kept, folder, { recursive: true })
    return true
  }
  await runBuild(signal)
  await listPaymentScripts(join(folder, 'client', 'assets'), join(folder, 'payment-scripts.json'))
  await compressAssets(join(folder, 'client', 'assets'))
  await runBundling(signal)
  await writeFile(stamp, hash)
  // A machine without a place for it, such as a container with a read-only home, builds every time.
  await keepBuild(kept).catch(() => {})
  return true
}

/** Saves the build for other clones of the same commit, atomically. Retains the last few builds. */
async function keepBuild(kept: string): Promise<void> {
  await mkdir(dirname(kept), { recursive: true })
  const draft = await mkdtemp(`${kept}-`)
  await cp(folder, draft, { recursive: true })
  await rename(draft, kept).catch(() => rm(draft, { recursive: true, force: true }))
  const builds = (await readdir(dirname(kept))).filter((name) => name.startsWith('build-'))
  const aged = await Promise.all(
    builds.map(async (name) => ({
      name,
      at: (await stat(join(dirname(kept), name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  )
  const old = aged.toSorted((a, b) => b.at - a.at).slice(keptBuilds)
  await Promise.all(old.map(({ name }) => rm(join(dirname(kept), name), { recursive: true, force: true })))
}

async function hashInputs(): Promise<string> {
  const hash = createHash('sha256')
  const entries = await Array.fromAsync(glob(inputs, { cwd: project, withFileTypes: true }))
  const paths = entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of paths.sort()) hash.update(`\0${relative(project, path)}\0`).update(await readFile(path))
  return hash.digest('hex')
}

async function runBuild(signal: AbortSignal | undefined): Promise<void> {
  const { code, output } = await runNode(packageProgram('@react-router/dev', ['build'], 'react-router'), {
    env: { ...process.env, NODE_ENV: 'production' },
    ...(signal ? { signal } : {}),
  })
  if (code !== 0) throw new PlainError(`${output}\nThe web app could not be built: see above.`)
}

/** Runs in a separate process because the bundler uses a gigabyte and `npm start` runs as long as the store. */
async function runBundling(signal: AbortSignal | undefined): Promise<void> {
  const args = [join(project, 'tools', 'bundle-programs.ts'), join(folder, 'programs')]
  const { code, output } = await runNode(args, signal ? { signal } : {})
  if (code !== 0) throw new PlainError(`${output}\nThe programs could not be bundled: see above.`)
}

// `npm run build`: for machines that run web and worker without `npm start`.
if (import.meta.main) {
  await runCommand(async () => {
    console.log((await buildIfStale()) ? 'Built into build/.' : 'Build is up to date.')
  })
}
