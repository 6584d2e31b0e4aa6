/** Programs of others that proofs run and that come from their source: built with Go, where it is, into folders of their own. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { env } from 'node:process'

/** Where the program is installed; '' where it is not. Debian keeps servers where only root looks. */
export function findProgram(name: string): string {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/sbin', join(env.HOME ?? '', 'go', 'bin')]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? ''
}

/** Builds a program of a module that can be installed by itself, as `name@version`; '' where that is not possible. */
export function installWithGo(name: string, version = 'latest'): string {
  const folder = join(tmpdir(), 'sidewall-go')
  const isBuilt = runGo(['install', `${name}@${version}`], { env: { GOBIN: folder } }) !== undefined
  return isBuilt ? join(folder, basename(name)) : ''
}

/**
 * Builds a program of a module that cannot, as those that replace other modules: as a part of a module of its own that
 * takes `version` of `module`. Returns its path, or '' where that is not possible.
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
  /** Lines of go.mod that say what is taken in place of what. */
  replaced?: string[]
  /** Variables that a release of the program sets when it is linked. */
  variables?: Record<string, string>
}

/** One minor release of Kubernetes, whose etcd is that of the API server's tests. */
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
  // What it says to be: Helm asks, and a chart refuses versions that it does not know.
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
    // The API server alone takes a quarter of an hour on two cores, once.
    timeout: 3_600_000,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout : undefined
}
