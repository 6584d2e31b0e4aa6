/**
 * The base images of deploy/Containerfile. They come from the registry or, without one, are images with the same parts
 * from Debian and npm packages. The Containerfile is the same for both and takes the images as arguments.
 */
import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PlainError } from '#platform/plain-error.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { project, runNpm } from '../../../tools/package-program.ts'
import type { Engine } from './container-engine.ts'
import { mirror } from './debian-parts.ts'

const run = promisify(execFile)
const release = 'bookworm'
/** Libraries, certificates, time zones, and names of ports and of systems: no program but some of libc6. */
const runtimePackages = 'base-files netbase tzdata ca-certificates libc6 libgcc-s1 libstdc++6 libssl3'.split(' ')
const certificates = 'etc/ssl/certs/ca-certificates.crt'
const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** The distroless images' account without rights. */
const nonroot = 65_532
const made = { BUILD_IMAGE: 'localhost/sidewall-drill/build', RUNTIME_IMAGE: 'localhost/sidewall-drill/runtime' }

/** Finds or makes both images; `args` tell a build of them. */
export async function findBases(engine: Engine): Promise<{ from: string; args: string[] }> {
  const container = await readFile(join(project, 'deploy/Containerfile'), 'utf8')
  const named = Object.keys(made).map((name) => new RegExp(`^ARG ${name}=(.+)$`, 'm').exec(container)?.[1] ?? '')
  const pulls = await Promise.all(named.map((image) => engine.try('pull', '--quiet', image)))
  if (pulls.every(({ code }) => code === 0)) return { from: 'the registry', args: [] }
  const found = await Promise.all(Object.values(made).map((image) => engine.try('image', 'inspect', image)))
  if (found.some(({ code }) => code !== 0)) await makeBases(engine, named[0]?.match(/node:([\d.]+)-/)?.[1] ?? '24')
  return {
    from: `Debian ${release} and npm`,
    args: Object.entries(made).flatMap(([name, image]) => ['--build-arg', `${name}=${image}`]),
  }
}

async function makeBases(engine: Engine, nodeVersion: string): Promise<void> {
  await using folder = await createTemporaryFolder()
  const [build, runtime] = [join(folder.path, 'build'), join(folder.path, 'runtime')]
  await chmod(folder.path, 0o755)
  try {
    await run('debootstrap', ['--variant=minbase', `--include=${runtimePackages.join()}`, release, build, mirror], {
      maxBuffer: 1 << 26,
    })
  } catch (error) {
    throw new PlainError(
      `No registry can be reached, and images of Debian ${release} cannot be made: install debootstrap (\`apt-get install debootstrap\`), run this as root, and let it reach ${mirror}.`,
      { cause: error },
    )
  }
  await extract(join(build, 'var/cache/apt/archives'), runtime)
  await addNode(build, nodeVersion)
  await load(engine, build, made.BUILD_IMAGE, ['CMD ["node"]'])
  await load(engine, runtime, made.RUNTIME_IMAGE, [`ENV SSL_CERT_FILE=/${certificates}`, `USER ${nonroot}`])
}

/** The packages of the runtime image, out of those that the other one was made of, and its accounts. */
async function extract(archives: string, target: string): Promise<void> {
  await mkdir(target)
  for (const file of await readdir(archives))
    if (runtimePackages.includes(file.split('_')[0] ?? ''))
      await run('dpkg-deb', ['--extract', join(archives, file), target])
  await rm(archives, { recursive: true })
  const authorities = join(target, 'usr/share/ca-certificates/mozilla')
  const texts = await Promise.all((await readdir(authorities)).map((file) => readFile(join(authorities, file), 'utf8')))
  await writeFile(join(target, certificates), texts.join(''))
  const accounts = [
    ['root', 0, '/root'],
    ['nonroot', nonroot, '/home/nonroot'],
  ] as const
  await writeFile(
    join(target, 'etc/passwd'),
    accounts.map(([name, id, home]) => `${name}:x:${id}:${id}:${name}:${home}:/sbin/nologin\n`).join(''),
  )
  await writeFile(join(target, 'etc/group'), accounts.map(([name, id]) => `${name}:x:${id}:\n`).join(''))
  await mkdir(join(target, 'home/nonroot'), { recursive: true, mode: 0o700 })
  await chown(join(target, 'home/nonroot'), nonroot, nonroot)
  await chmod(join(target, 'tmp'), 0o1777)
}

/** Adds Node, and npm with this machine's registry settings, such as another URL or certificate authority. */
async function addNode(root: string, version: string): Promise<void> {
  const local = join(root, 'usr/local')
  const packages = join(root, 'packed')
  await mkdir(packages)
  for (const wanted of [`node-linux-${process.arch}@${version}`, 'npm@11']) {
    const { code, output } = await runNpm(['pack', '--silent', '--pack-destination', packages, wanted])
    if (code !== 0) throw new PlainError(`npm does not give ${wanted}:\n${output}`)
  }
  for (const file of await readdir(packages)) {
    await run('tar', ['-xf', join(packages, file), '-C', packages])
    if (file.startsWith('node-')) await cp(join(packages, 'package/bin/node'), join(local, 'bin/node'))
    else {
      await mkdir(join(local, 'lib/node_modules'), { recursive: true })
      await rename(join(packages, 'package'), join(local, 'lib/node_modules/npm'))
      await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
    }
    await rm(join(packages, 'package'), { recursive: true, force: true })
  }
  await rm(packages, { recursive: true })
  await chmod(join(local, 'lib/node_modules/npm/bin/npm-cli.js'), 0o755)
  const { output: registry } = await runNpm(['config', 'get', 'registry'])
  await mkdir(join(local, 'etc'), { recursive: true })
  await writeFile(join(local, 'etc/npmrc'), `registry=${registry.trim()}\ncafile=/${certificates}\n`)
  await cp(`/${certificates}`, join(root, certificates))
}

async function load(engine: Engine, root: string, image: string, changes: readonly string[]): Promise<void> {
  const archive = `${root}.tar`
  await run('tar', ['-C', root, '-cf', archive, '.'])
  await engine.run('import', ...[path, ...changes].flatMap((change) => ['--change', change]), archive, image)
  await rm(archive)
}
