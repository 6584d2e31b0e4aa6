/** Third-party programs for tests, built from source with Go into separate folders. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { env } from 'node:process'

/**
 * Returns a program's path, or '' if it isn't installed. Debian installs servers in folders that are only in root's
 * PATH.
 */
export function findProgram(name: string): string {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin', join(env.HOME ?? '', 'go', 'bin')]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? ''
}

/** Builds a program from a standalone module as `name@version`. Returns '' if that fails. */
export function installWithGo(name: string, version = 'latest'): string {
  const folder = join(tmpdir(), 'sidewall-go')
  const isBuilt = runGo(['install', `${name}@${version}`], { env: { GOBIN: folder } }) !== undefined
  return isBuilt ? join(folder, basename(name)) : ''
}

/**
 * Builds a program from a module with replacements, as part of a new module that requires `version` of `module`.
 * Returns its path, or '' if that fails.
 */
export function buildWithGo({ module, version, from, replaced = [], variables = {} }: Part): string {
  const name = from.split('/').findLast((part) => !/^v\d+$/.test(part)) ?? ''
  const folder = join(tmpdir(), `sidewall-${basename(module)}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'go.mod'), ['module programs', 'go 1.24', ...replaced].join('\n'))
  const linked = Object.entries(variables).map(([variable, value]) => `-X ${variable}=${value}`)
  const isBuilt = [
    ['get', `${module}@${version}`],
    ['build', '-ldflags', linked.join(' '), '-o', join(folder, name), from],
  ].every((args) => runGo(args, { cwd: folder }) !== undefined)
  return isBuilt ? join(folder, name) : ''
}

type Part = {
  module: string
  version: string
  /** The package of the program. */
  from: string
  /** The replacement lines for go.mod. */
  replaced?: string[]
  /** Variables that a release of the program sets when it is linked. */
  variables?: Record<string, string>
}

/** A minor release of Kubernetes, with the etcd version of its API server's tests. */
const kubernetes = { module: 'k8s.io/kubernetes', version: 'v1.34.4' }

/** Builds Kubernetes' API server and etcd; each is '' where that is not possible. */
export function buildKubernetes(): { apiServer: string; etcd: string } {
  const { GoMod: file } = JSON.parse(
    runGo(['mod', 'download', '-json', `${kubernetes.module}@${kubernetes.version}`], {}) || '{}',
  ) as { GoMod?: string }
  // Its own modules lie in a folder of its repository, and are published as v0.34.4 where it is v1.34.4.
  const replaced = [...(file ? readFileSync(file, 'utf8') : '').matchAll(/^\t(\S+) => \.\/staging\//gm)].map(
    ([, name = '']) => `replace ${name} => ${name} ${kubernetes.version.replace('v1', 'v0')}`,
  )
  // The reported version, because Helm checks it and a chart refuses unknown versions.
  const variables = { 'k8s.io/component-base/version.gitVersion': kubernetes.version }
  const build = (from: string) => (file ? buildWithGo({ ...kubernetes, from, replaced, variables }) : '')
  return { apiServer: build('k8s.io/kubernetes/cmd/kube-apiserver'), etcd: build('go.etcd.io/etcd/server/v3') }
}

/** Runs Go and returns what it printed; undefined where it is not there or fails. */
function runGo(args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv }): string | undefined {
  const go = findProgram('go') || ['/usr/local/go/bin/go'].find((path) => existsSync(path))
  if (!go) return undefined
  const { status, stdout } = spawnSync(go, args, {
    ...options,
    env: { ...env, GOFLAGS: '-mod=mod', ...options.env },
    // Building the API server takes 15 minutes on two cores.
    timeout: 3_600_000,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout : undefined
}
